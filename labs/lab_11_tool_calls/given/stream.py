"""Take an answer apart while it's being written, and make the deltas of OpenAI's API from it.

Your ``split_answer`` separates free text from calls, and ``argument_spans`` finds the arguments of one that's cut.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from labs.lab_11_tool_calls.given.formats import Format, pieces
from labs.lab_11_tool_calls.given.joining import Joined
from labs.lab_11_tool_calls.given.openings import spelled_out
from labs.lab_11_tool_calls.given.parsing import Call, parse
from labs.lab_11_tool_calls.given.tools import Tool

Deltas = list[dict[str, Any]]
"""The news about an answer's calls, as OpenAI's API streams them."""


class AnswerStream:
    """The stream of one answer. ``ToolCallStream`` in your file adds ``split``, which is your function, and ``spans``.

    The text has the characters that stand for special tokens (``spelling``), so that a special token and the same text
    spelled out stay apart.

    Args:
        row, tools: the format, and the tools of the request.
        joined: the automaton of the answer.
        spelled: the characters of special texts.
        new_id: makes the id of a call.

    Attributes:
        texts, deltas: what was said, and the deltas of the calls, so far.
        unread: whether a call was begun that is no call of the format, or not all of one.

    >>> from labs.lab_11_tool_calls.given.formats import format_named
    >>> from labs.lab_11_tool_calls.solution import ToolCallStream, tool_automaton
    >>> row, tools = format_named("mistral_bare"), [Tool("now")]
    >>> stream = ToolCallStream(row, tools, tool_automaton(row, tools))
    >>> [stream.feed(piece)[0] for piece in ("Hm. [TO", "DO] [TOOL_CALLS]now{}")]  # the client sees no trigger
    [['Hm. '], ['[TODO] ']]
    """

    split: Callable[[int, str, str], tuple[int, str, list[tuple[str, str]]]]
    spans: Callable[[str], list[tuple[int, int]]]

    def __init__(
        self,
        row: Format,
        tools: Sequence[Tool],
        joined: Joined,
        spelled: Mapping[str, str] | None = None,
        new_id: Callable[[], str] = lambda: "call",
    ) -> None:
        self.texts, self.deltas = list[str](), Deltas()
        self.unread = False
        self._row, self._tools, self._joined, self._new_id = row, tools, joined, new_id
        self._out = spelled_out(row, spelled or {})
        self._special: dict[str, str | int | None] = {char: text for text, char in (spelled or {}).items()}
        # The prompt has begun the message, and no piece of the answer repeats that.
        self._state, self._held = joined.dfa.initial, self._out.begun
        self._begun = self._out.begun
        self._names, self._arguments, self._sent = list[str](), list[str](), list[str]()
        # How many braces are open in the arguments of a call; 0 where they are not one JSON object.
        self._depth = row.whole * (2 if row.body == "JSON object" else 1)

    def feed(self, text: str) -> tuple[list[str], Deltas]:
        """Return the new free text and the new deltas of calls."""
        self._state, self._held, parts = self.split(self._state, self._held, text)
        texts, deltas = list[str](), Deltas()
        for kind, whole in parts:
            part, self._begun = whole.removeprefix(self._begun), ""
            if kind == "text":
                texts += [self.plain(part)] * bool(part)
            else:
                around, written = self._apart(part)
                said, calls = self._parse("{}".join(around))
                self.unread |= not calls
                texts += [said] * bool(said)
                deltas += self._tell(calls, written, keep=True)
        if self._state >= len(self._joined.held):
            deltas += self._unfinished()
        self.texts += texts
        self.deltas += deltas
        return texts, deltas

    def finish(self) -> tuple[list[str], Deltas]:
        """Return the free text and the deltas that were held back, at the end of the answer."""
        held, self._held = self._held.removeprefix(self._begun), ""
        in_a_call = not 0 <= self._state < len(self._joined.held)
        if not held or len(self._sent) > len(self._names):
            self.unread |= bool(held)
            return [], []  # the client already knows as much of this call as there is
        said, calls = self._parse(held)
        self.unread |= in_a_call and not calls
        texts, deltas = [said] if said else [], self._tell(calls, [], keep=True)
        self.texts += texts
        self.deltas += deltas
        return texts, deltas

    def message(self, finish_reason: str = "stop") -> tuple[dict[str, Any], str]:
        """Return the whole message, which is the sum of all deltas, and why it ended.

        If there are calls, the reason ``stop`` becomes ``tool_calls``. But ``length`` stays, because nobody should run
        half a call. If the only text besides the calls is white space, the content is None.
        """
        content: str | None = "".join(self.texts)
        if not self.deltas:
            return {"role": "assistant", "content": content}, finish_reason
        calls = [
            {"id": delta["id"], "type": delta["type"], "function": delta["function"] | {"arguments": ""}}
            for delta in self.deltas
            if "id" in delta
        ]
        for delta in self.deltas:
            calls[delta["index"]]["function"]["arguments"] += delta["function"]["arguments"]
        message = {"role": "assistant", "content": content if content and content.strip() else None}
        return message | {"tool_calls": calls}, "tool_calls" if finish_reason == "stop" else finish_reason

    def _unfinished(self) -> Deltas:
        """Return the news about a block that's still being written."""
        around, written = self._apart(self._held)
        if not written:
            return []
        tail = "}" if self._depth == 2 else pieces(self._out.calls[0])[-1][0]
        calls = self._parse("{}".join([*around[:-1], tail + self._out.closing.replace("{ws}", "")]))[1]
        return self._tell(calls, written, keep=False) if len(calls) == len(written) else []

    def _apart(self, block: str) -> tuple[list[str], list[str]]:
        """Return the texts around the arguments in a block, and the arguments, as far as they're written.

        With empty arguments even a block that isn't finished can be parsed for its names. What the model writes into
        them is the client's business: a key may be there twice, and lists may be nested deeper than we can parse.
        """
        spans = self.spans(block) if self._depth else []
        places = [0, *(place for span in spans for place in span), len(block)]
        texts = [block[start:end] for start, end in pairwise(places)]
        return texts[::2], texts[1::2]

    def _tell(self, calls: Sequence[Call], written: Sequence[str], keep: bool) -> Deltas:
        """Return the news: for each call once its id and name, and then whatever has been added to its arguments."""
        arguments = written or [json.dumps(call.arguments, ensure_ascii=False) for call in calls]
        names, texts = [*self._names, *(call.name for call in calls)], [*self._arguments, *arguments]
        if keep:
            self._names, self._arguments = names, texts
        deltas: Deltas = []
        for index, (name, text) in enumerate(zip(names, texts, strict=True)):
            if index == len(self._sent):
                function = {"name": name, "arguments": ""}
                deltas.append({"index": index, "id": self._new_id(), "type": "function", "function": function})
                self._sent.append("")
            if more := text[len(self._sent[index]) :]:
                deltas.append({"index": index, "function": {"arguments": more}})
                self._sent[index] = text
        return deltas

    def _parse(self, text: str) -> tuple[str, list[Call]]:
        if not self._row.constrained:  # its parser knows the special texts by their names
            return parse(self._row, text.translate(str.maketrans(self._special)), self._tools)
        said, calls = parse(self._out, text, self._tools)
        return self.plain(said), calls

    def plain(self, text: str) -> str:
        """Return free text without special tokens, since these aren't text."""
        return text.translate({ord(char): None for char in self._special})
