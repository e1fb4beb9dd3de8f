"""Bodies and errors, without a server."""

from course.showcase.server.protocol import ChatCompletionRequest, CompletionRequest
from labkit.engine import SamplingParams
from labkit.small_model.tokenizer import Tokenizer


def chat(*messages, **more):
    return ChatCompletionRequest(model="small", messages=[{"role": r, "content": c} for r, c in messages], **more)


def test_a_conversation_is_turns_and_instructions_belong_to_the_question_after_them():
    asked = chat(("system", "Be brief."), ("user", "Hi"), ("assistant", "Ho"), ("user", "Hm"))
    (ids,) = asked.prompts_ids(Tokenizer.load())
    said = "<|user|>Be brief.\nHi<|assistant|>Ho<|end|><|user|>Hm<|assistant|>"
    assert Tokenizer.load().decode(ids, special=True) == said


def test_what_a_body_leaves_out_changes_nothing():
    body = CompletionRequest(model="small", prompt="x")
    assert body.params(99) == SamplingParams(max_tokens=16)
    assert chat(("user", "x")).params(99) == SamplingParams(max_tokens=99)
    assert chat(("user", "x"), max_tokens=5, max_completion_tokens=7).params(99).max_tokens == 7
    full = {"top_k": 5, "temperature": 0, "seed": 0, "min_p": 0.5, "frequency_penalty": 2, "presence_penalty": -1}
    asked = chat(("user", "x"), stop="a", logprobs=True, top_logprobs=3, **full)
    assert asked.params(9) == SamplingParams(max_tokens=9, stop=("a",), logprobs=3, **full)
    assert chat(("user", "x"), top_k=-1).params(9).top_k == 0
