"""Answers in which tools are called."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

from course.showcase.server.answers import ChatAnswer, warnings_of
from course.showcase.server.errors import interruption
from course.showcase.server.whole_answer import WholeAnswer
from labkit.automata.work import at_most
from labkit.engine import Detokenizer, RequestOutput, SamplingParams
from labkit.vocabulary import Vocabulary

MOST_READING = 1_000_000
"""How much work reading a piece of an answer may take, in units: a second at most, and the event loop waits for it."""


@dataclass
class ToolAnswer(ChatAnswer):
    """An answer in which there may be calls.

    Its text is made anew from the tokens: the engine's leaves out special tokens, and one of them may begin a call.

    Args:
        reader: takes the text apart.
        written: the vocabulary whose texts the reader expects.
        params: of the request.
        content_is_json: whether the request's format makes the content JSON, so that its parts can be told.
    """

    _: KW_ONLY
    reader: WholeAnswer
    written: Vocabulary
    params: SamplingParams
    content_is_json: bool

    def __post_init__(self) -> None:
        self._text = Detokenizer(self.params.stop)
        self._white, self._worded, self._called = "", False, False

    def whole(self, outputs: Sequence[RequestOutput]) -> dict[str, Any]:
        """Return the answer that these outputs are."""
        self._read("".join(map(self._new_text, outputs)), ended=True)
        message, reason = self.reader.message(str(outputs[-1].finish_reason))
        found = super().whole(outputs)
        found["choices"][0] |= {"message": {"refusal": None} | message, "finish_reason": reason}
        return found

    def chunks(self, output: RequestOutput, first: bool) -> list[dict[str, Any]]:
        """Return the events of one output: new thoughts, new text, then each delta of a call.

        Raises:
            ApiError: if the reader fails.
        """
        known = len(self.reader.thoughts)
        text, calls = self._read(self._new_text(output), bool(output.finish_reason))
        deltas: list[dict[str, Any]] = [{"reasoning_content": each} for each in self.reader.thoughts[known:]]
        deltas += [{"content": text}] if text else []
        deltas += [{"tool_calls": [call]} for call in calls]
        *before, last = deltas or [{}]
        end = self._end([output])
        if output.finish_reason:
            end["finish_reason"] = self.reader.message(output.finish_reason)[1]
        unfinished: dict[str, Any] = {"index": self.index, "logprobs": None, "finish_reason": None, "stop_reason": None}
        choices = [{"delta": delta} | unfinished for delta in before] + [{"delta": last} | end]
        for choice in choices if self.tells_pointers else ():
            choice["pointers"] = [
                event
                for call in choice["delta"].get("tool_calls", ())
                for event in self.pointers(call["function"]["arguments"], call=call["index"])
            ]
            if self.content_is_json:
                is_whole = choice is choices[-1] and output.finish_reason == "stop" and output.stop_reason is None
                choice["pointers"] += self.pointers(choice["delta"].get("content", ""), is_whole)
        if first:
            choices[0]["delta"] = {"role": "assistant", "content": None} | choices[0]["delta"]
        events = [self._envelope(self.chunk_object, [choice]) for choice in choices]
        return [events[0] | warnings_of(output), *events[1:]] if first else events

    def _new_text(self, output: RequestOutput) -> str:
        token, text = output.token_id, ""
        if token is not None and token not in (*self.written.special_ids, *self.params.stop_token_ids):
            text = self._text.add(self.written.token_bytes[token])
        return text + self._text.finish() if output.finish_reason else text

    def _read(self, text: str, ended: bool) -> tuple[str, list[dict[str, Any]]]:
        """Return what is said and the deltas of calls; white space alone is said only where nothing is called."""
        try:
            with at_most(MOST_READING, "reading the calls of this answer"):
                texts, calls = self.reader.feed(text)
                if ended:
                    more, last = self.reader.finish()
                    texts, calls = texts + more, calls + last
            self.unread = ended and self.reader.unread
        except Exception as error:  # of the labs' code, perhaps a student's own TODO
            self.unread = True
            raise interruption(error, "tools") from error
        self._called |= bool(calls)
        self._white += "".join(texts)
        if not self._white.strip() and not self._worded and (self._called or not ended):
            return "", calls
        said, self._white, self._worded = self._white, "", True
        return said, calls
