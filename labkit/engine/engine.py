"""The engine: requests come in at any time, and each step gives every running one a token."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.engine.drafts import DraftHooks
from labkit.engine.model_runner import Model, ModelRunner
from labkit.engine.request import Draft, FinishReason, Logprob, Request, RequestOutput, SamplingParams, TextSampler
from labkit.engine.sampler import logprob_of, sample_token, weigh_tokens
from labkit.engine.scheduler import Scheduler
from labkit.engine.structured_outputs import StructuredOutputs
from labkit.errors import CourseError, TooMuchWork
from labkit.vocabulary import Vocabulary

MOST_PUT_OFF = 25
"""How many steps in a row a request sits out, at most, while its constraint finds out what may come. A budget that
hardly suffices may need some: the way to the end must be found before the first token."""


class Engine:
    """Continuous batching around one model. One thread calls it; nothing in it waits.

    Args:
        model: the small model, or any that has its ``config``, ``new_cache`` and ``forward``.
        vocabulary: the model's tokens.
        structured_outputs: what answers for requests with a ``response_format``; None if there are to be none.
        text_sampler: makes the sampler of a request that asks for another one than ``"masked"`` (lab 13), or raises a
            ValueError. Its first question is about the prompt alone. None if there are to be none.
        max_num_seqs, max_num_batched_tokens, chunked_prefill, max_num_waiting: see ``Scheduler``.
        batch_invariant: see ``ModelRunner``.
        drafts: writes drafts that the model reads in one pass, and keeps what it agrees with (lab 14); None for a token
            a pass. A step must have room for a draft of every request that runs.

    Attributes:
        requests: those that wait or run, by their ids.
        scheduled: what the last step read: tokens by request.
        num_steps: how many steps had a pass of the model.
        num_turns: how often a request had a turn: a pass that gave it tokens.
        about: called before a constraint is asked, with the requests whose it is, and with none before a pass.
        num_drafted, num_accepted: how many tokens of drafts were in a pass, and how many of them were kept.

    Raises:
        ValueError: if the sizes do not fit each other.

    >>> from labkit.engine.model_runner import ScriptedModel
    >>> from labkit.models import adversary
    >>> toy = Vocabulary.toy()
    >>> engine = Engine(ScriptedModel(adversary(toy, ["a", ".2"]), len(toy)), toy)
    >>> request = engine.add_request([3], SamplingParams(max_tokens=2, temperature=0))
    >>> [(output.text, output.finish_reason) for _ in range(2) for output in engine.step()]
    [('.2', None), ('a', 'length')]
    """

    def __init__(
        self,
        model: Model,
        vocabulary: Vocabulary,
        structured_outputs: StructuredOutputs | None = None,
        *,
        max_num_seqs: int = 32,
        max_num_batched_tokens: int = 256,
        chunked_prefill: bool = True,
        max_num_waiting: int = 256,
        batch_invariant: bool = False,
        text_sampler: Callable[[Request], TextSampler] | None = None,
        drafts: DraftHooks | None = None,
    ) -> None:
        if model.config.vocab_size != len(vocabulary):
            raise ValueError(f"the model has {model.config.vocab_size} tokens, the vocabulary {len(vocabulary)}")
        if not chunked_prefill and max_num_batched_tokens < model.config.max_positions:
            raise ValueError(
                f"without chunked prefill a step must hold the longest prompt: max_num_batched_tokens "
                f"{max_num_batched_tokens} is less than the context of {model.config.max_positions}"
            )
        if drafts is not None and (most := max_num_seqs * (1 + drafts.length)) > max_num_batched_tokens:
            raise ValueError(
                f"{max_num_seqs} requests with drafts of {drafts.length} tokens read up to {most} in a step; "
                f"max_num_batched_tokens is {max_num_batched_tokens}, so draft less, or run fewer requests at a time"
            )
        self.vocabulary = vocabulary
        self.structured_outputs = structured_outputs
        self.text_sampler = text_sampler
        # Lab 09's manager has no such hook, lab 10's has.
        self._jump: Callable[[Request], Sequence[int]] | None = getattr(structured_outputs, "jump", None)
        self.max_model_len = int(model.config.max_positions)
        self.scheduler = Scheduler(max_num_seqs, max_num_batched_tokens, chunked_prefill, max_num_waiting)
        self.runner = ModelRunner(model, max_num_seqs, batch_invariant)
        self.requests: dict[str, Request] = {}
        self.scheduled: dict[Request, int] = {}
        self.drafts = drafts
        self.about: Callable[[Sequence[Request]], object] = lambda requests: None
        self.num_steps = self.num_turns = self.num_drafted = self.num_accepted = 0
        self._decoding: list[Request] = []
        self._put_off: set[Request] = set()
        self._numbers = count()
        self._without_a_pass: list[RequestOutput] = []

    def add_request(
        self,
        prompt_token_ids: Sequence[int],
        sampling_params: SamplingParams | None = None,
        *,
        response_format: Any = None,
        request_id: str | None = None,
    ) -> Request:
        """Put a request into the queue.

        Raises:
            ValueError: if the prompt is empty, has an id outside the vocabulary, or leaves no room in the model's
                context for ``max_tokens``; if the id is in use; or if the format, or the sampler, is refused.
            QueueFull: if too many requests, or too many grammars, are waiting.
        """
        name = request_id or f"request-{next(self._numbers)}"
        request = Request(name, tuple(prompt_token_ids), sampling_params or SamplingParams(), response_format)
        self._check(request)
        self.scheduler.check_room()
        if request.sampling_params.sampler != "masked":
            if self.text_sampler is None:
                raise ValueError("this engine has no other sampler than masked")
            request.text_sampler = self.text_sampler(request)
            next(request.text_sampler)  # it asks about the prompt alone
        if response_format is not None:
            if self.structured_outputs is None:
                raise ValueError("this engine has no structured outputs: response_format must be None")
            self.about([request])
            self.structured_outputs.add(request)
        self.scheduler.add(request)
        self.requests[name] = request
        return request

    def abort(self, request_id: str) -> bool:
        """End a request wherever it is and free what it holds; return whether there was one."""
        request = self.requests.get(request_id)
        if request is not None:
            self._finish(request, "abort")
        return request is not None

    def step(self) -> list[RequestOutput]:
        """Run one pass of the model; return an output for each token that a request got, in order, or for its end."""
        self._put_off.clear()
        if self.drafts is not None:
            self._propose(self.drafts)
        self.scheduled = self.scheduler.schedule(self._is_ready)
        self.about(())
        outputs = list[RequestOutput]()
        if self.scheduled:
            logits = self.runner.execute(self.scheduled)
            self.num_steps += 1
            # A prompt that is not read to its end has no next token yet.
            self._decoding = [request for request in self.scheduled if not request.num_pending]
            self.num_turns += len(self._decoding)
            others = [request for request in self.scheduled if request.draft is None]
            if len(others) < len(self.scheduled):
                outputs, logits = self._take_drafts(logits)
            requests = [request for request in others if not request.num_pending]
            if len(requests) < len(logits):  # while all decode, nothing is copied
                logits = logits[[not request.num_pending for request in others]]
            outputs += self._sample(requests, logits)
        earlier, self._without_a_pass = self._without_a_pass, []
        return earlier + outputs

    def generate(self, *requests: Request) -> None:
        """Take steps until these requests have finished; their answers are in ``output_token_ids``."""
        while any(request.finish_reason is None for request in requests):
            self.step()

    def _check(self, request: Request) -> None:
        prompt, most = request.prompt_token_ids, request.sampling_params.max_tokens
        named = [*prompt, *request.sampling_params.logit_bias]
        if not prompt:
            raise ValueError("the prompt is empty: the model needs a token to begin with")
        if outside := [token for token in named if not 0 <= token < len(self.vocabulary)]:
            raise ValueError(f"token id {outside[0]} lies outside the vocabulary of {len(self.vocabulary)} tokens")
        if len(prompt) + most > self.max_model_len:
            raise ValueError(
                f"a prompt of {len(prompt)} tokens and max_tokens of {most} are {len(prompt) + most} tokens; "
                f"the model's context is {self.max_model_len}"
            )
        if request.request_id in self.requests:
            raise ValueError(f"there is a request {request.request_id!r} already")

    def _is_ready(self, request: Request) -> bool:
        if request.response_format is None:
            return True
        assert self.structured_outputs is not None
        if self._sits_out(request):
            return False
        self.about([request])
        try:
            if not self.structured_outputs.ready(request):
                return False
            # What is forced from the start is read with the prompt. The scheduler may ask a second time.
            begins = request.text_sampler is None and not request.output_token_ids
            if self._jump and begins and (tail := self._jump(request)):
                self._without_a_pass += self._append(request, tail)
        except TooMuchWork as error:
            self._put_it_off(request, error)
            return False
        except Exception as error:
            self._fail(request, error)
        return request.finish_reason is None

    def _propose(self, drafts: DraftHooks) -> None:
        """Have drafts written for the requests that the last step gave a token of the model's."""
        # Whether there is a draft depends on the request alone: its random numbers are the same in any batch.
        for request in self._decoding:
            if request.finish_reason is None and request.text_sampler is None and request.num_pending == 1:
                self.about([request])
                try:
                    request.draft = drafts.propose(request)
                except Exception as error:
                    self._fail(request, error)

    def _take_drafts(self, logits: NDArray[np.float32]) -> tuple[list[RequestOutput], NDArray[np.float32]]:
        """Append what is kept of the drafts that were read; return it, and the rows of the other requests."""
        outputs, others, end = list[RequestOutput](), list[int](), 0
        for request in self.scheduled:
            draft, request.draft = request.draft, None
            start, end = end, end + (1 if draft is None else len(draft.masks))
            if draft is None:
                others.append(start)
                continue
            try:
                for output in self._take_draft(request, draft, logits[start:end]):
                    outputs.append(output)
            except Exception as error:
                self._fail(request, error)
                outputs.append(self._without_a_pass.pop())  # after the tokens that it has got all the same
        return outputs, logits[others]

    def _take_draft(self, request: Request, draft: Draft, logits: NDArray[np.float32]) -> Iterator[RequestOutput]:
        """Append what the model keeps of a draft and a token of its own, each as if it had been the only one."""
        assert self.drafts is not None
        params, context, written = request.sampling_params, request.token_ids, [*request.output_token_ids]
        masked, p_rows = np.where(draft.masks, logits, np.float32(-np.inf)), list[NDArray[np.float64]]()
        for place, row in enumerate(masked):
            before = draft.token_ids[:place]
            try:
                weights = weigh_tokens(row, [*context, *before], params, [*written, *before])
            except ValueError:  # no token may come: that counts only if the answer gets there
                if not place:
                    raise
                break
            p_rows.append(weights / weights.sum())
        tokens = self.drafts.verify(np.array(p_rows), draft.q_rows, draft.token_ids, request.generator.random)
        drafted = draft.token_ids[: len(draft.masks)]
        self.num_drafted += len(drafted)
        for place, token_id in enumerate(tokens):
            raw = None if params.logprobs is None else logits[place]
            first, *others = self._append_chosen(request, token_id, masked[place], raw)
            accepted = place < len(drafted) and token_id == drafted[place]
            self.num_accepted += accepted
            yield replace(first, drafted=0 if place else len(drafted), accepted=accepted)
            yield from others
            if request.finish_reason is not None:
                return
            if others or first.token_id != token_id:  # a jump: the rest of the draft goes on from another text
                break
        # What was kept has been read, up to the last token.
        self.runner.forget(request, len(context) + place)

    def _sample(self, requests: list[Request], logits: NDArray[np.float32]) -> list[RequestOutput]:
        """Choose a token for each request, whose row is masked in place; a text sampler gets its row as it is."""
        outputs = list[RequestOutput]()
        if any(request.text_sampler for request in requests):
            for request, row in zip(requests, logits, strict=True):
                if request.text_sampler is not None:
                    outputs += self._draw_text(request, request.text_sampler, row)
            logits = logits[[request.text_sampler is None for request in requests]]
            requests = [request for request in requests if request.text_sampler is None]
        # Logprobs are the model's own, so their rows are copied before the mask.
        wanted = [request.sampling_params.logprobs is not None for request in requests]
        raw = [row.copy() if copied else None for row, copied in zip(logits, wanted, strict=True)]
        if any(request.response_format is not None for request in requests):
            self._mask(requests, logits)
        for request, row, own in zip(requests, logits, raw, strict=True):
            if request in self._put_off:
                # Its last token is read once more, for the same logits.
                self.runner.forget(request, request.num_computed_tokens - 1)
            elif request.finish_reason is None:
                request.num_put_off = 0
                written, params = request.output_token_ids, request.sampling_params
                try:
                    token_id = sample_token(row, request.token_ids, params, request.generator, written)
                    outputs += self._append_chosen(request, token_id, row, own)
                except Exception as error:
                    self._fail(request, error)
        return outputs

    def _mask(self, requests: list[Request], logits: NDArray[np.float32]) -> None:
        """Mask all rows in one call; if it fails, each alone, so that only those fail whose own mask does."""
        assert self.structured_outputs is not None
        self.about([request for request in requests if request.response_format is not None])
        try:
            self.structured_outputs.mask(requests, logits)
        except Exception:
            for place, request in enumerate(requests):
                if request.response_format is not None and not self._sits_out(request):
                    self.about([request])
                    try:
                        self.structured_outputs.mask([request], logits[place : place + 1])
                    except TooMuchWork as error:
                        self._put_it_off(request, error)
                    except Exception as error:
                        self._fail(request, error)

    def _sits_out(self, request: Request) -> bool:
        """Put a request off that was put off before, if another one was in this step: one such call is long enough."""
        if request.num_put_off and self._put_off:
            self._put_off.add(request)
        return request in self._put_off

    def _put_it_off(self, request: Request, error: TooMuchWork) -> None:
        """Let the next step ask again, since what was found out is kept; give up after many."""
        request.num_put_off += 1
        if request.num_put_off > MOST_PUT_OFF:
            self._fail(request, error)
        else:
            self._put_off.add(request)

    def _draw_text(self, request: Request, sampler: TextSampler, logits: NDArray[np.float32]) -> list[RequestOutput]:
        """Answer a sampler's question, and have the ids of its next one read, or append the text that it gives."""
        self.about([request])
        try:
            self.runner.rewind(request, sampler.send(logits))
        except StopIteration as end:
            request.output_token_ids = []
            return self._append(request, end.value)
        except Exception as error:
            self._fail(request, error)
        return []

    def _append_chosen(
        self, request: Request, token_id: int, logits: NDArray[np.float32], raw: NDArray[np.float32] | None
    ) -> list[RequestOutput]:
        """Append a token that was chosen by a row of logits, with what is forced after it."""
        params = request.sampling_params
        masked = None if request.response_format is None else logits
        logprob = None if raw is None else logprob_of(raw, token_id, params.logprobs or 0, masked)
        tail: Sequence[int] = ()
        if request.response_format is not None:
            assert self.structured_outputs is not None
            self.about([request])
            request.output_token_ids.append(token_id)
            self.structured_outputs.advance(request, token_id)
            if self._jump and token_id not in (self.vocabulary.eos_id, *params.stop_token_ids):
                tail = self._jump(request)
            request.output_token_ids.pop()  # the tail may write it otherwise: the model has not read it yet
        # A token that the model never chose has no logprob, not even the first of a tail that writes it otherwise.
        return self._append(request, tail or (token_id,), logprob if not tail or tail[0] == token_id else None)

    def _append(
        self, request: Request, token_ids: Sequence[int], logprob: Logprob | None = None
    ) -> list[RequestOutput]:
        """Append tokens until one ends the request; the logprob is that of the first."""
        outputs = []
        for place, token_id in enumerate(token_ids, start=1):
            request.output_token_ids.append(token_id)
            text = self._text_of(request, token_id, last=place == len(token_ids))
            so_far = (request.finish_reason, request.stop_reason, request.error)
            outputs.append(RequestOutput(request.request_id, token_id, text, logprob, *so_far))
            logprob = None
            if request.finish_reason is not None:
                break
        return outputs

    def _text_of(self, request: Request, token_id: int, last: bool) -> str:
        """Return the text that can be sent after a token; end the request if the token does, or nothing can follow."""
        params, text = request.sampling_params, request.detokenizer
        is_text = token_id not in self.vocabulary.special_ids and token_id not in params.stop_token_ids
        new_text = text.add(self.vocabulary.token_bytes[token_id]) if is_text else ""
        request.stop_reason = token_id if token_id in params.stop_token_ids else text.stopped_by
        complete = token_id == self.vocabulary.eos_id or request.stop_reason is not None
        if last and request.response_format is not None and not complete:
            assert self.structured_outputs is not None
            try:
                complete = self.structured_outputs.finished(request)
            except TooMuchWork:
                complete = False  # the model is asked for EOS
        if complete:
            self._finish(request, "stop")
        elif not request.remaining:
            self._finish(request, "length")
        return new_text + text.finish() if request.finish_reason else new_text

    def _fail(self, request: Request, error: Exception) -> None:
        """End one request, and report it with the outputs of this step."""
        self.about(())
        if request.finish_reason is not None:
            raise error  # by release: the request is gone, so its fault cannot be its answer
        if isinstance(error, CourseError):
            # It says all there is to say; what called it would be held with it: the guide, and this request.
            error.__traceback__ = error.__context__ = None
        request.error = error
        self._finish(request, "error")
        self._without_a_pass.append(RequestOutput(request.request_id, finish_reason="error", error=error))

    def _finish(self, request: Request, reason: FinishReason) -> None:
        """Free the request's place, its slot of the KV cache and what the constraint keeps of it."""
        request.finish_reason = reason
        self.scheduler.finish(request)
        self.runner.deallocate(request)
        if request.text_sampler is not None:
            request.text_sampler.close()
        del self.requests[request.request_id]
        if request.response_format is not None:
            assert self.structured_outputs is not None
            self.structured_outputs.release(request)
