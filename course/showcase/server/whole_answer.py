"""An answer that may think first, and then calls tools or says something: taken apart while it is written."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a copy of the course may end before lab 11
    from labs.lab_06_regex_to_dfa.given.subsets import States
    from labs.lab_11_tool_calls.solution import ToolCallStream

Parts = tuple[list[str], list[dict[str, Any]]]
"""Free text, and deltas of calls in the shape of OpenAI's stream."""


class WholeAnswer:
    """One answer as it grows: thoughts, then text and calls, or a text in the format.

    An answer in a format has no other text. So it is held back only as long as it may be calls as well as a text in the
    format; what is both in the end, is calls.

    Args:
        calls: reads the answers with calls.
        form: the automaton of the others; None if they are free text.
        thinking_ends: the text that ends the thinking block; empty if there is none.

    Attributes:
        thoughts: what was thought, piece by piece.
    """

    def __init__(self, calls: "ToolCallStream", form: "States | None" = None, thinking_ends: str = "") -> None:
        self.thoughts: list[str] = []
        self._calls, self._end, self._thinks = calls, thinking_ends, bool(thinking_ends)
        self._held, self._said = "", ""
        self._form, self._state = form, form.initial if form else -1
        self._waiting: Parts = [], []

    def feed(self, text: str) -> Parts:
        """Return the new free text and the new deltas of calls; new thoughts are in ``thoughts``."""
        if self._end:
            self._held += text
            thought, end, text = self._held.partition(self._end)
            if not end:
                # What may begin the end of the block is held back.
                size = next(n for n in range(len(self._end) - 1, -1, -1) if thought.endswith(self._end[:n]))
                thought, self._held = thought[: len(thought) - size], thought[len(thought) - size :]
            else:
                self._end = self._held = ""
            self.thoughts += [self._calls.plain(thought)] * bool(thought)
        if not text or not self._form:
            return self._calls.feed(text) if text else ([], [])
        return self._in_a_format(text, self._form)

    def _in_a_format(self, text: str, form: "States") -> Parts:
        self._said += text
        for char in text:
            self._state = form.step(self._state, ord(char)) if self._state >= 0 else -1
        if self._calls.is_dead:
            return [text], []
        for kept, new in zip(self._waiting, self._calls.feed(text), strict=True):
            kept += new  # type: ignore[operator]
        if self._calls.is_dead:
            return [self._said], []
        if self._state >= 0:
            return [], []
        self._form = None
        return self._waiting

    def finish(self) -> Parts:
        """Return what was held back, at the end of the answer."""
        if self._end and self._held:
            self.thoughts.append(self._held)
        if not self._form:
            return self._calls.finish()
        if self._calls.is_dead:
            return [], []
        if not self._calls.is_whole:
            return [self._said] * bool(self._said), []
        self._form = None
        return self._waiting

    @property
    def unread(self) -> bool:
        """Whether a call was begun that could not be read; in a text that is in the format there is none."""
        return not self._form and self._calls.unread

    def message(self, finish_reason: str) -> tuple[dict[str, Any], str]:
        """Return the whole message, and why it ended."""
        if self._form:
            message: dict[str, Any] = {"role": "assistant", "content": self._said}
        else:
            message, finish_reason = self._calls.message(finish_reason)
        return message | ({"reasoning_content": "".join(self.thoughts)} if self._thinks else {}), finish_reason
