"""Lab 11's formats of tool calls, and what reads an answer in one."""

from typing import Any
from uuid import uuid4

from course.showcase.server.whole_answer import WholeAnswer
from labkit.vocabulary import Vocabulary


def written_format(name: str) -> Any:
    """Return lab 11's row of a format, by its name or an alias, if the small model writes it.

    Raises:
        ValueError: if it doesn't; the message lists the formats that it writes.

    >>> written_format("nope")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: the small model does not write nope; its formats are hermes, mistral, llama3_json, ...
    """
    from labs.lab_11_tool_calls.given.formats import WRITTEN

    for row in WRITTEN:
        if name in (row.name, *row.aliases):
            return row
    known = ", ".join(row.name for row in WRITTEN)
    raise ValueError(f"the small model does not write {name}; its formats are {known}")


class ToolCalls:
    """What a server is given about tool calls (lab 11).

    Args:
        vocabulary: the model's.
        format_name: of the format that the model writes, or an alias.
        manager: the ``ToolCallManager`` that masks the engine's calls; None where the parser alone reads them.

    Attributes:
        style: the format's name in the small model's prompts.
        vocabulary: the model's, in which the format's special tokens are text.
        thinking_begins: the text that the prompt ends with, if the model is to think.
        masks: whether there is a manager.

    Raises:
        ValueError: if the small model does not write the format.

    >>> calls = ToolCalls(Vocabulary.small(), "hermes")
    >>> reader = calls.reader({"tools": [{"type": "function", "function": {"name": "now"}}]})
    >>> reader.feed('So <tool_call>{"name": "now", "arguments": {}}</tool_call>')
    (['So '], [])
    >>> [delta["function"] for delta in reader.finish()[1]]
    [{'name': 'now', 'arguments': ''}, {'arguments': '{}'}]
    """

    def __init__(self, vocabulary: Vocabulary, format_name: str, manager: Any = None) -> None:
        from labs.lab_11_tool_calls.given.formats import WRITTEN
        from labs.lab_11_tool_calls.given.grammars import spelling

        self.row = written_format(format_name)
        self.style, self.thinking_begins = WRITTEN[self.row], self.row.thinks[0]
        self.manager = manager
        self.masks = manager is not None
        self._spelled, self.vocabulary = spelling(self.row, vocabulary)

    def reader(self, asked: dict[str, Any]) -> WholeAnswer:
        """Return what takes one answer apart.

        With masks it follows the automaton of the answer, which the manager's cache holds, and tells arguments as they
        grow. Otherwise it only knows where a call may begin, and tells calls at the end.

        Args:
            asked: the request's tools, choice and whether calls may be parallel, as ``ToolCallManager`` takes them.

        Raises:
            InvalidSchema: if the tools are malformed.
        """
        from labs.lab_11_tool_calls import solution as lab_11
        from labs.lab_11_tool_calls.given.grammars import spell
        from labs.lab_11_tool_calls.given.tools import Tool, read_tools

        tools, form, new_id = read_tools(asked["tools"], self.row), None, lambda: f"call_{uuid4().hex}"
        if self.manager is not None:
            key, wanted = self.manager.wanted(asked)
            future = self.manager.cache.entries.get(key)  # gone if 64 other tool sets have come meanwhile
            guide = future.result() if future and future.done() else self.manager.compile_tools(*wanted)
            joined, form = guide.answer(), guide.form()
        else:
            joined = lab_11.tool_automaton(self.row, [Tool(tool.name) for tool in tools], "none", spelled=self._spelled)
        calls = lab_11.ToolCallStream(self.row, tools, joined, self._spelled, new_id)
        return WholeAnswer(calls, form, spell(self.row.thinks[1], self._spelled) if asked.get("thinking") else "")
