"""The two dialects of an answer: whole, and as chunks of a stream.

Beside OpenAI's keys, logprobs say what a mask took: ``mask`` at each token (in completions a list), and ``mask_cost``,
in a whole answer, what that comes to. In a stream whose client asks for it, each choice has ``pointers``: which parts
of the JSON began and ended with its text.
"""

import json
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from course.showcase.json_reader import JsonReader
from course.showcase.server.errors import ApiError
from labkit.engine import Logprob, Receipt, RequestOutput
from labkit.engine.receipts import total
from labkit.vocabulary import Vocabulary


@dataclass
class Counted:
    """How many tokens an answer has; how many were drafted for it, and how many of those are in it.

    >>> Counted.of([RequestOutput("a", 5, drafted=4, accepted=True), RequestOutput("a", 7)])
    Counted(tokens=2, drafted=4, accepted=1)
    """

    tokens: int = 0
    drafted: int = 0
    accepted: int = 0

    def note(self, output: RequestOutput) -> None:
        """Count an output."""
        self.tokens += output.token_id is not None
        self.drafted += output.drafted
        self.accepted += output.accepted

    @classmethod
    def of(cls, outputs: Sequence[RequestOutput]) -> "Counted":
        """Count these outputs."""
        counted = cls()
        for output in outputs:
            counted.note(output)
        return counted


@dataclass
class CompletionAnswer:
    """One answer as it grows, in the words of ``/v1/completions``.

    Where less is done than was asked for, ``warnings`` says so: a list of texts beside OpenAI's keys, in a whole answer
    or in the first chunk.

    Args:
        name: the id that the client sees.
        model: the model's name.
        prompt_tokens: how many tokens the prompt has.
        vocabulary: the model's tokens, to name them in logprobs.
        index: of the choice that it is.

    Attributes:
        tells_pointers: whether chunks tell events by JSON pointer.
        unread: whether it has a call that could not be read.
    """

    name: str
    model: str
    prompt_tokens: int
    vocabulary: Vocabulary
    index: int = 0
    created: int = field(default_factory=lambda: int(time.time()))
    tells_pointers: bool = field(default=False, init=False)
    _readers: dict[int | None, JsonReader] = field(default_factory=lambda: defaultdict(JsonReader), init=False)
    object = "text_completion"
    chunk_object = "text_completion"
    unread = False

    def whole(self, outputs: Sequence[RequestOutput]) -> dict[str, Any]:
        """Return the answer that these outputs are."""
        choice = self.message("".join(output.text for output in outputs)) | self._end(outputs)
        receipts = [each.logprob.receipt for each in outputs if each.logprob and each.logprob.receipt]
        if receipts:
            choice["logprobs"]["mask_cost"] = asdict(total(receipts))
        return (
            self._envelope(self.object, [choice]) | {"usage": self.usage(Counted.of(outputs))} | warnings_of(outputs[0])
        )

    def chunks(self, output: RequestOutput, first: bool) -> list[dict[str, Any]]:
        """Return the events of one output."""
        choice = self.delta(output.text, first) | self._end([output])
        if self.tells_pointers:
            # Where a stop string has cut the text, what was open stays open.
            is_whole = output.finish_reason == "stop" and output.stop_reason is None
            choice["pointers"] = self.pointers(output.text, is_whole)
        found = self._envelope(self.chunk_object, [choice])
        return [found | warnings_of(output) if first else found]

    def last(self, counted: Counted) -> dict[str, Any]:
        """Return the event that tells the usage, after the last token."""
        return self._envelope(self.chunk_object, []) | {"usage": self.usage(counted)}

    def usage(self, counted: Counted) -> dict[str, Any]:
        """Return how many tokens were read and written; with drafts, how many of theirs were kept."""
        both = self.prompt_tokens + counted.tokens
        found = {"prompt_tokens": self.prompt_tokens, "completion_tokens": counted.tokens, "total_tokens": both}
        if not counted.drafted:
            return found
        rejected = counted.drafted - counted.accepted
        kept = {"accepted_prediction_tokens": counted.accepted, "rejected_prediction_tokens": rejected}
        return found | {"completion_tokens_details": kept}

    def message(self, text: str) -> dict[str, Any]:
        """Return the text as a choice has it."""
        return {"text": text}

    def delta(self, text: str, first: bool) -> dict[str, Any]:
        """Return new text as a choice of a chunk has it."""
        return self.message(text)

    def logprobs(self, found: Sequence[Logprob]) -> dict[str, Any]:
        """Return the logprobs of some tokens."""
        masks = [self._mask(each.receipt) for each in found]
        return {
            "tokens": [self.text(each.token_id) for each in found],
            "token_logprobs": [each.logprob for each in found],
            "top_logprobs": [{self.text(token_id): value for token_id, value in each.top} for each in found],
        } | ({"mask": masks} if any(masks) else {})

    def _mask(self, receipt: Receipt | None) -> dict[str, Any] | None:
        if receipt is None:
            return None
        return {"kept": receipt.kept} | asdict(receipt) | {"first_choice": self.text(receipt.first_choice)}

    def text(self, token_id: int) -> str:
        """Return a token as a text, which may be half a character."""
        return self.vocabulary.token_bytes[token_id].decode("utf-8", "replace")

    def pointers(self, text: str, is_whole: bool = False, call: int | None = None) -> list[dict[str, Any]]:
        """Return the events of some more text: of the answer, or of the arguments of a call, by its index."""
        reader = self._readers[call]
        events = reader.feed(text) + (reader.finish() if is_whole else [])
        return events if call is None else [event | {"call": call} for event in events]

    def _end(self, outputs: Sequence[RequestOutput]) -> dict[str, Any]:
        found = [output.logprob for output in outputs if output.logprob is not None]
        last = outputs[-1]
        return {
            "index": self.index,
            "logprobs": self.logprobs(found) if found else None,
            "finish_reason": last.finish_reason,
            "stop_reason": last.stop_reason,
        }

    def _envelope(self, kind: str, choices: list[dict[str, Any]]) -> dict[str, Any]:
        return {"id": self.name, "object": kind, "created": self.created, "model": self.model, "choices": choices}


def whole_answer(answers: Mapping[str, CompletionAnswer], outputs: Sequence[RequestOutput]) -> dict[str, Any]:
    """Return one answer with a choice for each of the engine's requests.

    Args:
        answers: by the requests' ids.
        outputs: of all of them.
    """
    parts = [answer.whole([one for one in outputs if one.request_id == name]) for name, answer in answers.items()]
    choices = [choice for part in parts for choice in part["choices"]]
    together = {key: value for part in parts for key, value in part.items()}
    return together | {"choices": choices, "usage": next(iter(answers.values())).usage(Counted.of(outputs))}


class Told:
    """How an answer is told: what its parts become, whole or as the events of a stream. Here, each part as it is."""

    def whole(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Return a whole answer."""
        return answer

    def begin(self) -> Iterator[str]:
        """Yield the events before the first chunk."""
        return iter(())

    def chunk(self, chunk: dict[str, Any]) -> Iterator[str]:
        """Yield the events of a chunk."""
        yield f"data: {json.dumps(chunk)}\n\n"

    def failed(self, error: ApiError) -> Iterator[str]:
        """Yield the events of an answer that can't be finished."""
        return self.chunk(error.body())

    def end(self) -> Iterator[str]:
        """Yield the events after the last chunk: the mark that OpenAI's streams end with."""
        yield "data: [DONE]\n\n"


def warnings_of(output: RequestOutput) -> dict[str, Any]:
    """Return the key that an answer has if the constraint allows less than was asked for."""
    return {"warnings": list(output.warnings)} if output.warnings else {}


class ChatAnswer(CompletionAnswer):
    """One answer in the words of ``/v1/chat/completions``."""

    object = "chat.completion"
    chunk_object = "chat.completion.chunk"

    def message(self, text: str) -> dict[str, Any]:
        """Return the text as a message of the assistant."""
        return {"message": {"role": "assistant", "content": text, "refusal": None}}

    def delta(self, text: str, first: bool) -> dict[str, Any]:
        """Return new text; the first chunk says who speaks."""
        return {"delta": {"role": "assistant", "content": text} if first else {"content": text}}

    def logprobs(self, found: Sequence[Logprob]) -> dict[str, Any]:
        """Return the logprobs of some tokens, each with its bytes."""
        content = [
            self._entry(each.token_id, each.logprob)
            | {"top_logprobs": [self._entry(*pair) for pair in each.top]}
            | ({"mask": self._mask(each.receipt)} if each.receipt else {})
            for each in found
        ]
        return {"content": content, "refusal": None}

    def _entry(self, token_id: int, logprob: float) -> dict[str, Any]:
        token = self.vocabulary.token_bytes[token_id]
        return {"token": self.text(token_id), "logprob": logprob, "bytes": list(token)}
