"""The automaton of what follows a trigger: calls of a request's tools, in which name and arguments agree.

Templates become regular expressions over *markers* (lab 08), one for each JSON object or value; then each marker is
replaced by its automaton. No text of a body is a prefix of another one, so a body's end is its end.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from labkit.automata.dfa import Dfa
from labkit.automata.trees import char, choice, regex_of
from labkit.errors import SchemaError, UnsupportedSchema
from labkit.vocabulary import Vocabulary
from labs.lab_06_regex_to_dfa.solution import minimize_dfa, parse_tree
from labs.lab_08_json_schema.given.pointers import below
from labs.lab_08_json_schema.given.whitespace import POLICIES
from labs.lab_08_json_schema.solution import literal_tree, member_tree, object_tree
from labs.lab_11_tool_calls.given.formats import FIXED, Format, fields_of, pieces, stop_after
from labs.lab_11_tool_calls.given.joining import after
from labs.lab_11_tool_calls.given.markers import Markers, literally
from labs.lab_11_tool_calls.given.parsing import NAME
from labs.lab_11_tool_calls.given.tools import Tool
from labs.lab_11_tool_calls.given.values import Arguments

_SPACE = POLICIES["flexible"]

_CONTROLS = [*range(1, 9), *range(14, 32)]
"""Characters that stand for special tokens: neither JSON nor a plain argument may contain them."""


def spelling(row: Format, vocabulary: Vocabulary) -> tuple[dict[str, str], Vocabulary]:
    """Return how a vocabulary writes a format's special texts, where it has tokens for them.

    A guide allows no special token, since its name is no text. So each that the format needs becomes a token of one
    control character, and tokens that have this character already are forbidden. Where the special text is spelled out
    in ordinary tokens, the result does not match.

    Returns:
        The character of each special text, and the vocabulary for the guide; its ids are the same.

    >>> from labs.lab_11_tool_calls.given.formats import FORMATS
    >>> from labkit.small_model.tokenizer import Tokenizer
    >>> spelling(FORMATS["mistral"], Tokenizer.load().vocabulary)[0]
    {'[TOOL_CALLS]': '\\x01'}
    """
    ids = {vocabulary.token_bytes[i]: i for i in sorted(vocabulary.special_ids - {vocabulary.eos_id})}
    texts = dict.fromkeys(row.special if row.headers else (*row.special, row.thinks[1]))
    known = [text for text in texts if text.encode() in ids]
    chars = {text: chr(control) for text, control in zip(known, _CONTROLS, strict=False)}
    if not chars:
        return {}, vocabulary
    tokens = list(vocabulary.token_bytes)
    taken = {control.encode() for control in chars.values()}
    special = {i for i, token in enumerate(tokens) if any(control in token for control in taken)}
    for text, control in chars.items():
        tokens[ids[text.encode()]] = control.encode()
    return chars, Vocabulary(
        tokens,
        eos_id=vocabulary.eos_id,
        special_ids=(special | vocabulary.special_ids) - {ids[t.encode()] for t in chars},
    )


def spell(text: str, spelled: Mapping[str, str]) -> str:
    """Return a text with the characters that stand for special texts in their place (``spelling``).

    >>> spell("[TOOL_CALLS]now", {"[TOOL_CALLS]": "\\x01"})
    '\\x01now'
    """
    for special in sorted(spelled, key=len, reverse=True):
        text = text.replace(special, spelled[special])
    return text


def body_automaton(
    row: Format,
    tools: Sequence[Tool],
    trigger: str | None = None,
    *,
    parallel: bool = True,
    spelled: Mapping[str, str] | None = None,
) -> Dfa | None:
    """Return the automaton of the texts after a trigger, up to the end of the block; None if no automaton reads it.

    Args:
        trigger: the one that was written; None for the first.
        parallel: whether the block may have several calls.
        spelled: characters in the place of special texts (``spelling``).

    Raises:
        InvalidSchema, UnsupportedSchema, LimitExceeded: if a tool's schema cannot be compiled, with the pointer to it
            in the request; also if its name cannot be told from what follows it in this format.
        ValueError: if there is no tool.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> from labs.lab_11_tool_calls.given.formats import FORMATS
    >>> body = body_automaton(FORMATS["mistral_v13"], [Tool("now"), Tool("stop")])
    >>> [fullmatch(body, text) for text in ("now[ARGS]{}", "stop[ARGS]{}", "go[ARGS]{}", 'now[ARGS]{"a": 1}')]
    [True, True, False, False]
    """
    if not tools:
        raise ValueError("a body calls one of the tools, and there are none")
    if not row.constrained:
        return None
    trigger = row.triggers[0] if trigger is None else trigger
    writer = Writer(row, spelled or {})
    calls = writer.markers.add(writer.calls(tools))
    more = f"(?:{writer.expand(row.between)}{calls})*" if parallel and row.between is not None else ""
    block = writer.markers.compile(f"{writer.expand(row.opening)}{calls}{more}{writer.expand(row.closing)}")
    return minimize_dfa(after(block, spell(trigger, spelled or {}))) if row.inside else block


class Writer:
    """Writes templates of one format as regular expressions over markers."""

    def __init__(self, row: Format, spelled: Mapping[str, str]) -> None:
        self._row = row
        self._spelled = spelled
        self.markers = Markers()

    def literal(self, text: str) -> str:
        """Return the expression of a text, with its special texts as they are spelled."""
        return literally(spell(text, self._spelled))

    def expand(self, template: str, fill: Callable[[str, str], str] | None = None) -> str:
        """Return the expression of a template; ``fill`` gets a field, and the text after it."""
        found, parts = "", pieces(template)
        for place, (text, field) in enumerate(parts):
            found += self.literal(text)
            if field in ("ws", "index", "id"):
                found += FIXED[field]
            elif field and fill is not None:
                found += fill(field, stop_after(parts, place))
        return found

    def calls(self, tools: Sequence[Tool]) -> Dfa:
        """Return the automaton of one call of any of the tools."""
        writer, found = Writer(self._row, self._spelled), list[str]()
        for tool in tools:
            try:
                found += [writer.expand(call, partial(writer._field, tool)) for call in self._row.calls]
            except SchemaError as error:
                raise type(error)(error.problem, tool.pointer + error.pointer) from error
        return writer.markers.compile("|".join(f"(?:{call})" for call in found))

    def _field(self, tool: Tool, field: str, stop: str) -> str:
        if field == "name":
            return self._name(tool.name, stop, "")
        if field == "parameters":
            return self._parameters(tool)
        arguments = self.markers.add(tool.arguments.as_object())
        return arguments if field == "arguments" else self._object(tool.name, arguments)

    def _name(self, name: str, stop: str, pointer: str) -> str:
        """Return the expression of a name or key; ``stop`` follows it, and begins with a quote where it is quoted."""
        unclear = not NAME.fullmatch(name) or (stop and stop[0] in name)
        if unclear or (self._row.values != "text" and not name.isidentifier()):
            raise UnsupportedSchema(
                f"{name!r:.80} cannot be told from what follows a name in {self._row.name}", pointer
            )
        return literally(name)

    def _object(self, name: str, arguments: str) -> str:
        key, *others = self._row.keys
        index, id_ = (parse_tree(f'"{FIXED[field]}"') for field in ("index", "id"))
        first, last = [(self._row.number, index, True), (key, literal_tree(name), True)], (self._row.id, id_, False)
        objects = []
        for other in others:
            members = [each for each in (*first, (other, char(arguments), True), last) if each[0]]
            objects.append(object_tree([(member_tree(k, v, _SPACE), must) for k, v, must in members], _SPACE))
        return regex_of(choice(objects))

    def _parameters(self, tool: Tool) -> str:
        arguments, typed = tool.arguments, "type" in fields_of(self._row.parameter)
        members = []
        for key, required in arguments.members:
            kinds = arguments.kinds(arguments.children[key]) if typed else [None]
            each = [self.expand(self._row.parameter, self._parameter(arguments, key, kind)) for kind in kinds]
            members.append((f"(?:{'|'.join(each)})", required))
        return _in_order(members, literally(self._row.separator))

    def _parameter(self, arguments: Arguments, key: str, kind: str | None) -> Callable[[str, str], str]:
        def fill(field: str, stop: str) -> str:
            match field:
                case "key":
                    return self._name(key, stop, below("", "properties", key))
                case "string":
                    return "true" if arguments.is_text(key) else "false"
                case "type":
                    return str(kind)
            return self.markers.add(arguments.written(key, self._row.values, stop, kind))

        return fill


def _in_order(members: Sequence[tuple[str, bool]], separator: str) -> str:
    """Return the expression of members in their order, of which some must be there, with separators between them."""
    rows = []
    for place, (first, required) in enumerate(members):
        rest = (
            f"{separator}{member}" if must else f"(?:{separator}{member})?" for member, must in members[place + 1 :]
        )
        rows.append(first + "".join(rest))
        if required:
            break
    else:
        rows.append("")
    return f"(?:{'|'.join(rows)})"
