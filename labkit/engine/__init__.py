"""A continuous-batching engine around one model, small enough to read in one sitting; names as in vLLM V1.

    engine = Engine(SmallModel.load(), Vocabulary.small(), structured_outputs)
    request = engine.add_request(prompt_token_ids, SamplingParams(max_tokens=40), response_format=...)
    while engine.requests:
        for output in engine.step():
            ...

Read ``request`` (what is asked), ``scheduler`` (who gets tokens in a step), ``model_runner`` (the KV cache, the pass),
``sampler`` (logits to a token), ``receipts`` (what a mask cost), ``detokenizer`` (tokens to text, stop strings), then
``engine``, which calls them.

**The seam for a constraint** is the third argument: an object with the hooks of ``StructuredOutputs``, from lab 09.

| when | hook |
|---|---|
| ``Engine.add_request``, with a ``response_format`` | ``add(request)`` |
| a request in WAITING could start | ``ready(request)`` |
| after the pass, before penalties, temperature, top-k and top-p | ``mask(requests, logits)`` |
| before the first pass, and after ``advance``, if there is such a hook (lab 10) | ``jump(request)``: a tail, no pass |
| after a token was chosen | ``advance(request, token_id)``, then ``finished(request)`` |
| the request ends, in whatever way | ``release(request)`` |

What a constraint keeps for a request hangs on ``request.structured_output_state``. Where no request has a
``response_format``, no hook is called: the cost is one comparison with None for each token.

**The seam for a sampler** of whole texts is ``Engine``'s ``text_sampler``, from lab 13. It gives a generator for a
request with ``SamplingParams.sampler`` above ``"masked"``: it yields ids to read after the prompt, is sent the logits
after them, and returns a text, all of which is sent at once. Such a request takes one row of the batch. Of the hooks,
only ``add``, ``ready`` and ``release`` are called for it: the sampler asks the guide itself.

**The seam for drafts** is ``Engine``'s ``drafts``, from lab 14: an object with the hooks of ``DraftHooks``. It writes a
draft for a request before a pass, and after the pass it keeps what the model agrees with. Each token that is kept then
goes the way of any other: ``advance``, ``jump``, stop strings, ``finished``. So whatever ends an answer ends it within
a draft too, and a jump makes the engine forget the rest of one.

**Alone or in a batch.** A request gets the same tokens alone and in any batch: its random numbers are its own, and its
row of logits depends on its own tokens. What may differ are the last bits of the logits (``ModelRunner``). And where a
constraint counts its work, another token may be left out near the end of a budget, or a draft not used, if an earlier
request has found out less about the same grammar.
"""

from labkit.engine.detokenizer import Detokenizer
from labkit.engine.drafts import DraftHooks
from labkit.engine.engine import Engine
from labkit.engine.model_runner import Model, ModelRunner, ScriptedModel
from labkit.engine.receipts import MaskCost, Receipt
from labkit.engine.request import Draft, Logprob, Request, RequestOutput, RequestStatus, SamplingParams, TextSampler
from labkit.engine.sampler import sample_token
from labkit.engine.scheduler import Scheduler
from labkit.engine.structured_outputs import JumpsForward, StructuredOutputs

__all__ = [
    "Detokenizer",
    "Draft",
    "DraftHooks",
    "Engine",
    "JumpsForward",
    "Logprob",
    "MaskCost",
    "Model",
    "ModelRunner",
    "Receipt",
    "Request",
    "RequestOutput",
    "RequestStatus",
    "SamplingParams",
    "Scheduler",
    "ScriptedModel",
    "StructuredOutputs",
    "TextSampler",
    "sample_token",
]
