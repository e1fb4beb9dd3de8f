"""Lab 11: tool calls. Text is free until a trigger, then a call must be one of the request's tools, then it is free.

Both modes are one automaton: an Aho-Corasick automaton reads free text and notices triggers, its last step leads into
the automaton of the calls, and the end of a call leads back. So masks, budgets and batches are those of labs 07 and 09.
The rest is what an API needs of it: a cheap step where the text is free, a key for the cache, and answers as deltas.
"""

import json
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import DEAD, Dfa
from labkit.engine import Request, SamplingParams
from labkit.vocabulary import Vocabulary
from labs.lab_09_inside_an_engine.solution import (
    LogitMaskProcessor,
    StructuredOutputManager,
    StructuredOutputState,
    mask_batch,
)
from labs.lab_11_tool_calls.given.engine import (
    Bitmask,
    Guide,
    GuideOfFunctions,
    Submit,
    Worker,
    allowed,
    at_once,
    engine_of,
)
from labs.lab_11_tool_calls.given.formats import Format, fields_of, format_named, pieces
from labs.lab_11_tool_calls.given.grammars import spell, spelling
from labs.lab_11_tool_calls.given.joining import after, bounded, rows_of, shared_alphabet
from labs.lab_11_tool_calls.given.openings import Body, Opening, either, openings_of, spelled_out
from labs.lab_11_tool_calls.given.parsing import Call, parse
from labs.lab_11_tool_calls.given.tools import Tool, chosen_tools, read_tools

DOUBLES = (GuideOfFunctions, Worker, engine_of, StructuredOutputState, SamplingParams, format_named)
"""Given, for the tests: a guide made of functions, a worker that is driven by hand, an engine on a function."""

Node = int
"""How much of a trigger has just been written: a node of the trie of triggers. Node 0 is the root: nothing."""

# Triggers -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Triggers:
    """Given: the triggers as an Aho-Corasick automaton (Aho and Corasick, 1975).

    Args:
        children: for each node, the child by each character.
        failure: for each node, the node of the longest proper suffix of its text that is a node too.
        found: for each node, the trigger that its text ends with, or None.

    >>> make_triggers(["<a>", "b"]).found
    [None, None, None, '<a>', 'b']
    """

    children: Sequence[Mapping[str, Node]]
    failure: Sequence[Node]
    found: Sequence[str | None]

    @property
    def depths(self) -> list[int]:
        """How many characters lead to each node.

        >>> make_triggers(["<a>", "b"]).depths
        [0, 1, 2, 3, 1]
        """
        depths = [0] * len(self.children)
        for node, below in enumerate(self.children):  # a child has a higher number than its parent
            for child in below.values():
                depths[child] = depths[node] + 1
        return depths


def build_trie(texts: Collection[str]) -> tuple[list[dict[str, Node]], list[str | None]]:
    """Put texts into a trie over their characters.

    Nodes are numbered in the order in which the texts need them, from the root, node 0.

    Returns:
        For each node its children by character, and the text that ends there, or None.

    Raises:
        ValueError: if a text is empty: it would be found everywhere.

    >>> build_trie(["<a>", "b"])
    ([{'<': 1, 'b': 4}, {'a': 2}, {'>': 3}, {}, {}], [None, None, None, '<a>', 'b'])
    """
    # begin TODO
    children: list[dict[str, Node]] = [{}]
    ends: list[str | None] = [None]
    for text in texts:
        if not text:
            raise ValueError("a trigger needs at least one character")
        node = 0
        for char in text:
            if char not in children[node]:
                children[node][char] = len(children)
                children.append({})
                ends.append(None)
            node = children[node][char]
        ends[node] = text
    return children, ends
    # end TODO


def failure_links(
    children: Sequence[Mapping[str, Node]], ends: Sequence[str | None]
) -> tuple[list[Node], list[str | None]]:
    """Return where each node goes when no child fits, and the trigger that its text ends with.

    A node's failure is the node of the longest proper suffix of its text that is in the trie; the root's is the root.
    The text ``xab`` ends with the trigger ``ab`` although its own node ends no trigger.

    Args:
        children, ends: as ``build_trie`` returns them.

    Returns:
        For each node its failure, and the longest trigger that its text ends with, or None.

    The trie of ``xabc`` and ``ab``: nodes 1 to 4 are x, xa, xab and xabc, nodes 5 and 6 are a and ab.

    >>> children = [{"x": 1, "a": 5}, {"a": 2}, {"b": 3}, {"c": 4}, {}, {"b": 6}, {}]
    >>> failure_links(children, [None, None, None, None, "xabc", None, "ab"])
    ([0, 0, 5, 6, 0, 0, 0], [None, None, None, 'ab', 'xabc', None, 'ab'])
    """
    # begin TODO
    failure, found = [0] * len(children), list(ends)
    # Level by level: the suffix of a text is shorter, so its node is ready before.
    waiting = deque(children[0].values())
    while waiting:
        node = waiting.popleft()
        found[node] = ends[node] or found[failure[node]]
        for char, child in children[node].items():
            fallback = failure[node]
            while fallback and char not in children[fallback]:
                fallback = failure[fallback]
            failure[child] = children[fallback].get(char, 0)
            waiting.append(child)
    return failure, found
    # end TODO


def make_triggers(texts: Collection[str]) -> Triggers:
    """Given: return the automaton of some triggers; your functions make it.

    >>> make_triggers(["xabc", "ab"]).failure
    [0, 0, 5, 6, 0, 0, 0]
    """
    children, ends = build_trie(texts)
    return Triggers(children, *failure_links(children, ends))


def step(triggers: Triggers, node: Node, char: str) -> Node:
    """Return the node after one more character: the longest suffix of the text so far that is in the trie.

    >>> triggers = make_triggers(["aab"])
    >>> node = 0
    >>> for char in "aaab":
    ...     node = step(triggers, node, char)
    >>> triggers.found[node]
    'aab'
    """
    # begin TODO
    # subtle: after "aa" an a leads to "aa" again, not to the root; what was written may begin the trigger anew
    while node and char not in triggers.children[node]:
        node = triggers.failure[node]
    return triggers.children[node].get(char, 0)
    # end TODO


def free_rows(triggers: Triggers, symbols: Sequence[str]) -> list[list[Node]]:
    """Given: return where every node leads by each of some characters; your ``step`` says it.

    Args:
        symbols: one character of each class of the alphabet.

    Returns:
        For each node a list of nodes, one for each symbol.

    >>> free_rows(make_triggers(["aab"]), ["a", "b", "c"])
    [[1, 0, 0], [2, 0, 0], [2, 3, 0], [1, 0, 0]]
    """
    return [[step(triggers, node, char) for char in symbols] for node in range(len(triggers.children))]


# One automaton for both modes -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Joined:
    """Given: free text and calls as one automaton.

    Args:
        dfa: the automaton. Its first ``len(held)`` states read free text, all others are inside a call.
        held: for each free state, how many characters of a trigger have just been written.

    >>> join({"ab": None}).held
    [0, 1, 2]
    """

    dfa: Dfa
    held: Sequence[int]


def merge_openings(openings: Sequence[Opening]) -> dict[str, Body | None]:
    """Return one body for each text after which a call begins.

    The first trigger that is complete ends the free text. So where one opening is a prefix of another, or two are
    equal, the shorter one's body is either of the two: its own, or the rest of the longer text and then that one's body
    (``either``). Openings without a body forbid nothing to one that has a body.

    Args:
        openings: texts with their bodies; None where no call may be opened by the text.

    Returns:
        The texts that begin with no other one, in the order of ``openings``, and their bodies. A text whose only
        body is its own keeps it as it is.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
    >>> one, two = compile_dfa("[0-9];"), compile_dfa("[a-z];")
    >>> merged = merge_openings([("<t>", (one, 0)), ("<t>x=", (two, 0)), ("no", None)])
    >>> list(merged), [fullmatch(merged["<t>"][0], text) for text in ("7;", "x=a;", "a;")], merged["no"]
    (['<t>', 'no'], [True, True, False], None)
    """
    # begin TODO
    texts = list(dict.fromkeys(text for text, _ in openings))
    merged: dict[str, Body | None] = {}
    for short in texts:
        if any(short.startswith(other) for other in texts if other != short):
            continue
        # What may follow this text: the rest of each that begins with it, and that one's body.
        bodies = [(text[len(short) :], body) for text, body in openings if body and text.startswith(short)]
        alone = len(bodies) == 1 and not bodies[0][0]
        merged[short] = bodies[0][1] if alone else either(bodies) if bodies else None
    return merged
    # end TODO


def link_triggers(triggers: Triggers, root: int, entries: Mapping[str, int], closed: bool = False) -> list[int]:
    """Return the state that each node of the triggers stands for in the joined automaton.

    Args:
        root: the state of node 0; the state of node n is ``root + n``.
        entries: for each trigger the state in which its call begins, or -1 where it may open none.
        closed: whether no trigger may open a call any more.

    Returns:
        For each node its state; where a trigger has been found, the state in which its call begins, or -1, which is
        dead: then no token that completes the trigger is allowed.

    >>> link_triggers(make_triggers(["<a>", "b"]), 10, {"<a>": 50, "b": -1})
    [10, 11, 12, 50, -1]
    """
    # begin TODO
    states = []
    for node, trigger in enumerate(triggers.found):
        if trigger is None:
            states.append(root + node)
        else:
            states.append(DEAD if closed else entries[trigger])
    return states
    # end TODO


def join(bodies: Mapping[str, Body | None], *, required: bool = False, parallel: bool = True) -> Joined:
    """Return the automaton of an answer: free text, calls, free text, for as many calls as come.

    Its states are free text before the first call, then free text after one (if that differs), then each body once.
    A trigger's last character leads into its body; a character after which a body accepts leads back to free text.

    Args:
        bodies: for each trigger the automaton of its calls and its state there, or None (``merge_openings``). No text
            of a body is empty or a prefix of another. Two triggers may share an automaton.
        required: whether the answer may end only after a call.
        parallel: whether calls may follow the first one.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
    >>> joined = join({"<": (compile_dfa("[0-9]+>"), 0)})
    >>> [fullmatch(joined.dfa, text) for text in ("a", "a<7>b<8>", "a<7", "a<b>")], joined.held
    ([True, True, False, False], [0, 1])
    >>> [fullmatch(join({"<": None}).dfa, text) for text in ("a > b", "a < b")]
    [True, False]
    """
    # begin TODO
    triggers = make_triggers(bodies)
    automata = list({id(body[0]): body[0] for body in bodies.values() if body}.values())
    alphabet = shared_alphabet(automata, set("".join(bodies)))
    free = np.array(free_rows(triggers, alphabet.symbols))
    # The places of the blocks: a second copy of the free text, only if a call changes what may come.
    roots = [0] if parallel and not required else [0, len(free)]
    n_free = len(roots) * len(free)
    starts = np.cumsum([n_free, *map(len, automata)]).tolist()
    place = {id(automaton): start for automaton, start in zip(automata, starts, strict=False)}
    entries = {text: place[id(body[0])] + body[1] if body else DEAD for text, body in bodies.items()}
    blocks = [
        np.array(link_triggers(triggers, root, entries, closed=root > 0 and not parallel))[free] for root in roots
    ]
    for automaton, start in zip(automata, starts, strict=False):
        rows = rows_of(automaton, alphabet.symbols)
        # subtle: rows may be -1, which would pick the last state, so dead ones are put back
        back = np.where(automaton.accepting[rows], roots[-1], rows + start)
        blocks.append(np.where(rows == DEAD, DEAD, back))
    accepting = np.arange(starts[-1]) < n_free
    accepting[: len(free)] = not required
    dfa = Dfa(alphabet.bounds, alphabet.classes, np.concatenate(blocks), 0, accepting)
    return Joined(dfa, triggers.depths * len(roots))
    # end TODO


def tool_automaton(
    row: Format,
    tools: Sequence[Tool],
    tool_choice: Any = "auto",
    *,
    parallel: bool = True,
    spelled: Mapping[str, str] | None = None,
) -> Joined:
    """Given: return the automaton of the answers to a request with tools.

    Where a call is required the answer begins with it: text before it would only spend the budget. And where the
    format's turn ends with its calls, nothing follows them: parsers take it for a part of the call.

    Raises:
        ValueError: if the choice fits no tool, or a tool's schema cannot be compiled (``body_automaton``).

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> joined = tool_automaton(format_named("llama"), [Tool("now")], "required")
    >>> [fullmatch(joined.dfa, text + "<function=now>{}</function>") for text in ("", "Hm. ")]
    [True, False]
    """
    chosen, required = chosen_tools(tools, tool_choice)
    names = {tool.name for tool in chosen}
    openings = openings_of(row, tools, names, parallel=parallel, spelled=spelled)
    bodies = merge_openings(openings)
    # A block of its own for the text after a call, also where only the end of the turn changes what may come.
    joined = join(bodies, required=required or row.ends_turn, parallel=parallel)
    dfa = joined.dfa
    if required or row.ends_turn:
        repeat = spell(row.repeat or "", spelled or {})
        first = [text for text in bodies if not repeat or not text.startswith(repeat)] if required else None
        again = [text for text in bodies if row.repeat is not None and text.startswith(repeat)]
        dfa = bounded(dfa, len(joined.held) // 2, first, again if row.ends_turn else None)
    return Joined(after(dfa, spell(row.begun, spelled or {})), joined.held)


# In the engine --------------------------------------------------------------------------------------------


class ToolGuide:
    """Given: the guide of a joined automaton (``Guide`` of lab 09). It remembers what free text asks again and again.

    Args:
        guide: through the joined automaton's texts. Its state ``s + size * n`` is state s of the automaton, n > 0
            where some bytes of a character have been read; a negative state is none of the automaton's.
        joined: the automaton, or how many free states it has.
        size: how many states it has; taken from ``joined`` if that is an automaton.

    Attributes:
        after: for a free state and a token, the state after it, once it was asked for.
        listed: for the ``id`` of a bitmask, the bitmask, the fewer of the ids that it allows or forbids, and which.

    >>> guide = ToolGuide(GuideOfFunctions(0, print, print, max, bool, int), 2, 10)
    >>> [guide.is_free(state) for state in (1, 2, 11, -2)]
    [True, False, True, False]
    """

    def __init__(self, guide: Guide, joined: Joined | int, size: int = 0) -> None:
        self.guide = guide
        self.joined = joined
        self.n_free, self.size = (joined, size) if isinstance(joined, int) else (len(joined.held), len(joined.dfa))
        self.after: dict[tuple[Any, int], Any] = {}
        self.listed: dict[int, tuple[Bitmask, NDArray[np.intp], bool]] = {}
        self.mask, self.fill, self.initial = guide.mask, guide.fill, guide.initial
        self.is_accepting, self.tokens_to_accept = guide.is_accepting, guide.tokens_to_accept

    def is_free(self, state: Any) -> bool:
        """Return whether a state is one of free text, not one inside a call.

        >>> ToolGuide(GuideOfFunctions(0, print, print, max, bool, int), 2, 10).is_free(9)
        False
        """
        return bool(state >= 0 and state % self.size < self.n_free)

    def answer(self) -> Joined:
        """Return what one answer is read with, character by character.

        >>> joined = join({})
        >>> guide = GuideOfFunctions(0, print, print, print, bool, int)
        >>> ToolGuide(guide, joined).answer() is joined
        True
        """
        if isinstance(self.joined, int):
            raise ValueError("a guide that only knows how many free states there are reads no answer")
        return self.joined

    def advance(self, state: Any, token_id: int) -> Any:
        """Return the state after a token; see ``advance_once``.

        >>> guide = ToolGuide(GuideOfFunctions(0, print, print, lambda state, token_id: token_id, bool, int), 2, 10)
        >>> guide.advance(0, 7), guide.after
        (7, {(0, 7): 7})
        """
        return advance_once(self, state, token_id)


def advance_once(guide: ToolGuide, state: Any, token_id: int) -> Any:
    """Return the state after a token, and remember it if the state before is free.

    A token of free text then costs one look-up, however many triggers there are. Inside a call nothing is remembered:
    its states are many, and few of them come again.

    Raises:
        TokenNotAllowed: if the guide refuses the token; nothing is remembered then.

    >>> guide = ToolGuide(GuideOfFunctions(0, print, print, lambda state, token_id: token_id, bool, int), 2, 10)
    >>> advance_once(guide, 0, 7), advance_once(guide, 7, 1), guide.after
    (7, 1, {(0, 7): 7})
    """
    # begin TODO
    known = guide.after.get((state, token_id))
    if known is None:
        known = guide.guide.advance(state, token_id)
        if guide.is_free(state):
            guide.after[state, token_id] = known
    return known
    # end TODO


def listed_ids(guide: ToolGuide, bitmask: Bitmask, vocab_size: int) -> tuple[NDArray[np.intp], bool]:
    """Return the ids that a bitmask allows, or those that it forbids, whichever are fewer; and remember them.

    Free text forbids few tokens: special ones, and those that hold the end of a trigger and the start of a wrong call.
    A call allows few, but for those in its strings.

    Args:
        bitmask: ``int32[ceil(V / 32)]``. Guides share equal ones, so its ``id`` tells it from others as long as it
            lives.

    Returns:
        ``intp[n]``, ascending, and whether they are the allowed ones; the forbidden ones where both are equally many.

    >>> guide = ToolGuide(GuideOfFunctions(0, print, print, max, bool, int), 1, 1)
    >>> [(ids.tolist(), allows) for ids, allows in (listed_ids(guide, np.int32([bits]), 8) for bits in (-6, 6))]
    [([0, 2], False), ([1, 2], True)]
    """
    # begin TODO
    # subtle: the bitmask is kept beside its ids, for the id of one that is gone may be given to another
    if id(bitmask) not in guide.listed:
        bits = allowed(bitmask, vocab_size)
        allows = bool(2 * np.count_nonzero(bits) < vocab_size)
        guide.listed[id(bitmask)] = bitmask, np.flatnonzero(bits == allows), allows
    return guide.listed[id(bitmask)][1:]
    # end TODO


def mask_rows(
    states: Sequence[StructuredOutputState | None],
    logits: NDArray[np.float32],
    remaining: Sequence[int | None] | None = None,
) -> None:
    """Mask the logits of a batch in place, as lab 09's ``mask_batch`` does, with less work for tool calls.

    The bitmask of a ``ToolGuide`` is not unpacked at every step: its row touches the listed ids alone, after the whole
    row was set to minus infinity where they are the allowed ones. All other rows go to ``mask_batch`` together.

    Args:
        states, logits, remaining: see ``mask_batch``.

    >>> guide = ToolGuide(GuideOfFunctions(0, lambda state, remaining: np.int32([-6]), print, max, bool, int), 1, 1)
    >>> logits = np.ones((2, 3), np.float32)
    >>> mask_rows([None, StructuredOutputState(guide)], logits)
    >>> logits.tolist()
    [[1.0, 1.0, 1.0], [-inf, 1.0, -inf]]
    """
    # begin TODO
    others = list(states)
    for place, state in enumerate(states):
        if state is not None and isinstance(state.guide, ToolGuide):
            bitmask = state.guide.mask(state.current, None if remaining is None else remaining[place])
            row = logits[place]  # a view: an index of both kinds at once is five times slower
            ids, allows = listed_ids(state.guide, bitmask, len(row))
            if allows:
                kept = row[ids]
                row[:] = -np.inf
                row[ids] = kept
            else:
                row[ids] = -np.inf
            others[place] = None
    if any(state is not None for state in others):
        mask_batch(others, logits, remaining)
    # end TODO


class ToolMaskProcessor(LogitMaskProcessor):
    """Given: masks the logits of each step, and counts its work; lab 09's with ``mask_rows``.

    >>> processor = ToolMaskProcessor()
    >>> processor([None], np.ones((1, 3), np.float32))
    >>> processor.num_masked
    0
    """

    def __call__(
        self,
        states: Sequence[StructuredOutputState | None],
        logits: NDArray[np.float32],
        remaining: Sequence[int | None] | None = None,
    ) -> None:
        """Mask a batch in place; see ``mask_rows``."""
        self.num_masked += sum(state is not None for state in states)
        mask_rows(states, logits, remaining)


def tool_set_key(
    row_name: str, tools: Sequence[Tool], tool_choice: Any = "auto", parallel: bool = True, fingerprint: str = ""
) -> str:
    """Return a text that is the same for requests which one guide can serve, and differs otherwise.

    What counts: the format, each tool's name and parameters, which of them may be called and whether one must be
    (``chosen_tools``), ``parallel``, and the vocabulary. What does not: the order of the tools, and where they stood in
    the request. The order of the properties in a schema counts: it is the order in which they are written.

    Args:
        row_name: the format's name.
        tools, tool_choice: see ``chosen_tools``, whose errors it raises.
        fingerprint: of the vocabulary (lab 09).

    Returns:
        A SHA-256 in hexadecimal.

    >>> now, stop = Tool("now", pointer="/tools/0"), Tool("stop", pointer="/tools/1")
    >>> tool_set_key("hermes", [now, stop]) == tool_set_key("hermes", [stop, now], None)
    True
    >>> tool_set_key("hermes", [now, stop]) == tool_set_key("hermes", [now, stop], "required")
    False
    """
    # begin TODO
    some, required = chosen_tools(tools, tool_choice)
    names = sorted(tool.name for tool in some)
    # subtle: lists in JSON keep apart what joined texts would mix, and keys stay in their order
    schemas = sorted([tool.name, json.dumps(tool.parameters)] for tool in tools)
    parts = [row_name, schemas, names, required, parallel, fingerprint]
    return sha256(json.dumps(parts).encode()).hexdigest()
    # end TODO


class ToolCallManager(StructuredOutputManager):
    """Given: lab 09's manager, which also takes requests with tools, for a model that writes one format.

    Such a request has the ``response_format`` ``{"type": "tools", "tools": […], "tool_choice": …,
    "parallel_tool_calls": …}``; the last two may be left out. All others are lab 09's.

    Args:
        vocabulary: the model's.
        row: the format.
        compile_tools: makes the guide of tools, a choice, and whether calls may be parallel.
        compile_format, submit, options: see ``StructuredOutputManager``.

    Attributes:
        spelled, vocabulary: the characters of the format's special texts, and the vocabulary that has them
            (``spelling``). An engine that decodes with it tells special tokens from the same text spelled out.

    >>> worker = Worker()
    >>> manager = ToolCallManager(Vocabulary.toy(), format_named("llama"), print, print, worker.submit)
    >>> tools = [{"type": "function", "function": {"name": "now"}}]
    >>> engine = engine_of(lambda ids: np.float32([1, 2, 3, 4, 5]), Vocabulary.toy(), manager)
    >>> request = engine.add_request([3], response_format={"type": "tools", "tools": tools})
    >>> manager.cache.num_compiling(), manager.ready(request)
    (1, False)
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        row: Format,
        compile_tools: Callable[[Sequence[Tool], Any, bool], Guide],
        compile_format: Callable[[Any], Guide],
        submit: Submit = at_once,
        **options: Any,
    ) -> None:
        super().__init__(vocabulary, compile_format, submit, **options)
        self.row = row
        self.spelled, self.vocabulary = spelling(row, vocabulary)
        self.compile_tools = compile_tools
        self.processor = ToolMaskProcessor()

    def add(self, request: Request) -> None:
        """Find the guide of a new request, or have it compiled.

        Raises:
            ValueError: if the tools or the choice are malformed.
            QueueFull: see lab 09.

        >>> manager = ToolCallManager(Vocabulary.toy(), format_named("llama"), print, print, Worker().submit)
        >>> manager.add(Request("a", (3,), SamplingParams(), {"type": "tools", "tools": [7]}))
        Traceback (most recent call last):
        labkit.errors.InvalidSchema: a tool is an object of the type function, with a function, at /tools/0
        """
        asked = request.response_format
        if asked.get("type") != "tools":
            super().add(request)
            return
        tools, choice = read_tools(asked["tools"]), asked.get("tool_choice")
        parallel = asked.get("parallel_tool_calls") is not False
        key = tool_set_key(self.row.name, tools, choice, parallel, self.fingerprint)
        future = self.cache.get(key, lambda: self.compile_tools(tools, choice, parallel))
        self.tickets[request.request_id] = (key, future)


# The answer -----------------------------------------------------------------------------------------------


def split_answer(joined: Joined, state: int, held: str, text: str) -> tuple[int, str, list[tuple[str, str]]]:
    """Take more of an answer apart: return the state after it, what is held back, and the parts that are complete.

    What may be the start of a trigger is held back, and so is a call until its end: ``held[state]`` characters of free
    text, or all since the trigger began. Where the automaton is dead, the text was written without masks and is no
    call of these tools; from there on everything is held back, for the parser.

    Args:
        state: the state so far, at first ``joined.dfa.initial``; -1 where it is dead.
        held: the text that was held back so far.
        text: what comes now, any number of characters.

    Returns:
        The state, the text that is held back now, and the parts in order: ``("text", …)`` for free text and
        ``("block", …)`` for a trigger, with what was held back before it, and its calls. Free text between two blocks
        is one part.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> joined = join({"<a>": (compile_dfa("[0-9];"), 0)})
    >>> split_answer(joined, 0, "", "so <a>7; x<")
    (1, '<', [('text', 'so '), ('block', '<a>7;'), ('text', ' x')])
    >>> split_answer(joined, 1, "<", "b<a>7")[1:]
    ('<a>7', [('text', '<b')])
    """
    # begin TODO
    parts: list[tuple[str, str]] = []
    free = ""
    for char in text:
        was_free = 0 <= state < len(joined.held)
        state = joined.dfa.step(state, ord(char)) if state != DEAD else DEAD
        held += char
        if not 0 <= state < len(joined.held):
            continue
        if was_free:
            # What the new state no longer needs is free text.
            settled = len(held) - joined.held[state]
            free, held = free + held[:settled], held[settled:]
        else:
            parts += [("text", free)] * bool(free) + [("block", held)]
            free, held = "", ""
    return state, held, parts + [("text", free)] * bool(free)
    # end TODO


def argument_spans(text: str, depth: int) -> list[tuple[int, int]]:
    """Return where the JSON objects at a depth begin and end: the arguments of the calls in a block, as they grow.

    In ``name{...}`` arguments are objects at depth 1, in ``{"name": ..., "arguments": {...}}`` at depth 2. Braces
    count only outside strings, and quotes only inside an object: a name may be a quote. A closing brace outside any
    object closes nothing.

    Args:
        text: a block, or as much of it as has been written.
        depth: how many braces are open in the arguments: 1 or 2.

    Returns:
        For each object its first place, and the place after its last character; the length of the text for the
        last one if it is not complete.

    >>> argument_spans('now{"zone": "}"}stop{"a', 1)
    [(3, 16), (20, 23)]
    """
    # begin TODO
    spans: list[tuple[int, int]] = []
    open_braces, in_string, escaped = 0, False, False
    for place, char in enumerate(text):
        if in_string:
            # subtle: a quote after a backslash goes on with the string, unless the backslash is itself escaped
            in_string = char != '"' or escaped
            escaped = char == "\\" and not escaped
        elif char == '"' and open_braces:
            in_string = True
        elif char == "{":
            open_braces += 1
            if open_braces == depth:
                spans.append((place, len(text)))
        elif char == "}" and open_braces:  # one that closes nothing is part of a name
            if open_braces == depth:
                spans[-1] = (spans[-1][0], place + 1)
            open_braces -= 1
    return spans
    # end TODO


def call_deltas(
    names: Sequence[str], arguments: Sequence[str], sent: list[str], new_id: Callable[[], str]
) -> list[dict[str, Any]]:
    """Return what is new about an answer's calls, in the shape of OpenAI's stream.

    A call is told in two kinds of deltas. The first has its index, an id, its type, its name and empty arguments. Each
    later one has its index and more of the arguments. Where nothing is new there is no delta.

    Args:
        names: of all calls so far.
        arguments: the text of each call's arguments so far.
        sent: what was sent of each call's arguments; brought up to date.
        new_id: makes an id, called once for each call.

    >>> sent = []
    >>> for delta in call_deltas(["now"], ['{"a"'], sent, lambda: "call_1"):
    ...     print(delta)
    {'index': 0, 'id': 'call_1', 'type': 'function', 'function': {'name': 'now', 'arguments': ''}}
    {'index': 0, 'function': {'arguments': '{"a"'}}
    >>> call_deltas(["now"], ['{"a": 1}'], sent, print), sent
    ([{'index': 0, 'function': {'arguments': ': 1}'}}], ['{"a": 1}'])
    """
    # begin TODO
    deltas: list[dict[str, Any]] = []
    for index, (name, text) in enumerate(zip(names, arguments, strict=True)):
        if index == len(sent):
            function = {"name": name, "arguments": ""}
            deltas.append({"index": index, "id": new_id(), "type": "function", "function": function})
            sent.append("")
        if more := text[len(sent[index]) :]:
            deltas.append({"index": index, "function": {"arguments": more}})
            sent[index] = text
    return deltas
    # end TODO


def read_message(
    texts: Sequence[str], deltas: Sequence[Mapping[str, Any]], finish_reason: str
) -> tuple[dict[str, Any], str]:
    """Return the whole message that a stream's parts add up to, and why it ended.

    Args:
        texts: the pieces of free text.
        deltas: those of its calls, as ``call_deltas`` returns them. They stay as they are.
        finish_reason: the engine's.

    Returns:
        ``{"role": "assistant", "content": …}``, and ``"tool_calls"`` if there are any: each with its id, type and
        function, whose arguments are one text. The content is None if there are calls and nothing but white space
        was said. The reason is ``"tool_calls"`` where the engine stopped by itself and there are calls.

    >>> deltas = [{"index": 0, "id": "x", "type": "function", "function": {"name": "now", "arguments": ""}}]
    >>> deltas += [{"index": 0, "function": {"arguments": "{"}}, {"index": 0, "function": {"arguments": "}"}}]
    >>> message, reason = read_message(["\\n"], deltas, "stop")
    >>> message["tool_calls"][0]["function"], message["content"], reason
    ({'name': 'now', 'arguments': '{}'}, None, 'tool_calls')
    """
    # begin TODO
    calls: list[dict[str, Any]] = []
    for delta in deltas:
        if "id" in delta:
            # subtle: a copy of both levels, or the deltas would grow with the message
            call = {key: value for key, value in delta.items() if key != "index"}
            calls.append(call | {"function": dict(delta["function"])})
        else:
            calls[delta["index"]]["function"]["arguments"] += delta["function"]["arguments"]
    content: str | None = "".join(texts)
    if not calls:
        return {"role": "assistant", "content": content}, finish_reason
    message = {"role": "assistant", "content": content if content and content.strip() else None, "tool_calls": calls}
    return message, "tool_calls" if finish_reason == "stop" else finish_reason
    # end TODO


class ToolCallStream:
    """Given: an answer as it is written, taken apart into free text and calls.

    The text is written with the characters that stand for special tokens (``spelling``), so that a special token and
    the same text spelled out stay apart.

    Args:
        row, tools: the format, and the tools of the request.
        joined: the automaton of the answer.
        spelled: the characters of special texts.
        new_id: makes the id of a call.

    Attributes:
        texts, deltas: what was said, and the deltas of the calls, so far.

    >>> row, tools = format_named("mistral_bare"), [Tool("now")]
    >>> stream = ToolCallStream(row, tools, tool_automaton(row, tools), {}, lambda: "call_1")
    >>> for text in ("Hm. [TOOL", "_CALLS]now{", "}"):
    ...     print(stream.feed(text))
    (['Hm. '], [])
    ([], [{'index': 0, 'id': 'call_1', 'type': 'function', 'function': {'name': 'now', 'arguments': ''}}, \
{'index': 0, 'function': {'arguments': '{'}}])
    ([], [{'index': 0, 'function': {'arguments': '}'}}])
    """

    def __init__(
        self,
        row: Format,
        tools: Sequence[Tool],
        joined: Joined,
        spelled: Mapping[str, str] | None = None,
        new_id: Callable[[], str] = lambda: "call",
    ) -> None:
        self.texts: list[str] = []
        self.deltas: list[dict[str, Any]] = []
        self._row, self._tools, self._joined, self._new_id = row, tools, joined, new_id
        self._out = spelled_out(row, spelled or {})
        self._special: dict[str, str | int | None] = {char: text for text, char in (spelled or {}).items()}
        # The prompt has begun the message, and no piece of the answer repeats that.
        self._state, self._held = joined.dfa.initial, self._out.begun
        self._begun = self._out.begun
        self._names: list[str] = []
        self._arguments: list[str] = []
        self._sent: list[str] = []
        self._depth = _argument_depth(row)

    def feed(self, text: str) -> tuple[list[str], list[dict[str, Any]]]:
        """Return the new free text and the new deltas of calls.

        >>> row = format_named("mistral_bare")
        >>> ToolCallStream(row, [Tool("f")], tool_automaton(row, [Tool("f")])).feed("Hm. [TOOL")
        (['Hm. '], [])
        """
        self._state, self._held, parts = split_answer(self._joined, self._state, self._held, text)
        texts, deltas = [], []
        for kind, whole in parts:
            part, self._begun = whole.removeprefix(self._begun), ""
            if kind == "text":
                texts += [self._plain(part)] * bool(part)
            else:
                said, calls = self._parse(part)
                texts += [said] * bool(said)
                deltas += self._tell(calls, self._arguments_of(part) or [_dumped(call) for call in calls], keep=True)
        if self._state >= len(self._joined.held):
            deltas += self._unfinished()
        self.texts += texts
        self.deltas += deltas
        return texts, deltas

    def finish(self) -> tuple[list[str], list[dict[str, Any]]]:
        """Return the free text and the deltas that were held back, at the end of the answer.

        >>> row = format_named("mistral_bare")
        >>> stream = ToolCallStream(row, [Tool("f")], tool_automaton(row, [Tool("f")]))
        >>> stream.feed("Hm. [TOOL"), stream.finish()
        ((['Hm. '], []), (['[TOOL'], []))
        """
        held, self._held = self._held.removeprefix(self._begun), ""
        if not held or len(self._sent) > len(self._names):
            return [], []  # a call that was cut off has been told as far as it goes
        said, calls = self._parse(held)
        texts, deltas = [said] if said else [], self._tell(calls, [_dumped(call) for call in calls], keep=True)
        self.texts += texts
        self.deltas += deltas
        return texts, deltas

    def message(self, finish_reason: str = "stop") -> tuple[dict[str, Any], str]:
        """Return the whole message so far; see ``read_message``.

        >>> row = format_named("mistral_bare")
        >>> stream = ToolCallStream(row, [Tool("f")], tool_automaton(row, [Tool("f")]))
        >>> stream.feed("Hm."), stream.message()
        ((['Hm.'], []), ({'role': 'assistant', 'content': 'Hm.'}, 'stop'))
        """
        return read_message(self.texts, self.deltas, finish_reason)

    def _unfinished(self) -> list[dict[str, Any]]:
        """Return what is new of the calls of a block that is still being written."""
        spans = argument_spans(self._held, self._depth) if self._depth else []
        if not spans:
            return []
        # With empty arguments the last call is a whole one, and the parser can tell its name.
        calls = self._parse(self._closed(self._held[: spans[-1][0]]))[1]
        return self._tell(calls, self._arguments_of(self._held), keep=False) if len(calls) == len(spans) else []

    def _arguments_of(self, block: str) -> list[str]:
        return [block[start:end] for start, end in argument_spans(block, self._depth)] if self._depth else []

    def _tell(self, calls: Sequence[Call], arguments: Sequence[str], keep: bool) -> list[dict[str, Any]]:
        names = [*self._names, *(call.name for call in calls)]
        texts = [*self._arguments, *arguments]
        if keep:
            self._names, self._arguments = names, texts
        return call_deltas(names, texts, self._sent, self._new_id)

    def _closed(self, start: str) -> str:
        """Return a block whose last call is given up to its arguments as a whole one, with empty arguments."""
        tail = "}" if self._depth == 2 else pieces(self._out.calls[0])[-1][0]
        return start + "{}" + tail + self._out.closing.replace("{ws}", "")

    def _parse(self, text: str) -> tuple[str, list[Call]]:
        if not self._row.constrained:  # its parser knows the special texts by their names
            return parse(self._row, text.translate(str.maketrans(self._special)), self._tools)
        said, calls = parse(self._out, text, self._tools)
        return self._plain(said), calls

    def _plain(self, text: str) -> str:
        """Return free text without special tokens, which are no text."""
        return text.translate({ord(char): None for char in self._special})


def _argument_depth(row: Format) -> int:
    """Return how many braces are open in the arguments of a call; 0 where they are not one JSON object."""
    if not all({"object", "arguments"} & set(fields_of(call)) for call in row.calls):
        return 0
    return 2 if row.body == "JSON object" else 1


def _dumped(call: Call) -> str:
    return json.dumps(call.arguments, ensure_ascii=False)
