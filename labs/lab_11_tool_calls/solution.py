"""Lab 11: tool calls. An answer is free text until a trigger, and then comes a call of one of the request's tools.

In part one you build a single automaton for both modes, which labs 07 and 09 can use as it is, and you take answers
apart with it. Part two is optional, and takes it into an engine, where you make masks cheap.
"""

import json
from collections import deque
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import DEAD, Dfa
from labkit.engine import Request, SamplingParams
from labkit.errors import ThinkingTooShort, TokenNotAllowed
from labkit.vocabulary import Vocabulary
from labs.lab_09_inside_an_engine.solution import (
    LogitMaskProcessor,
    StructuredOutputManager,
    StructuredOutputState,
    mask_batch,
    read_response_format,
)
from labs.lab_11_tool_calls.given.engine import Guide, GuideOfFunctions, Submit, Worker, at_once
from labs.lab_11_tool_calls.given.formats import Format, format_named
from labs.lab_11_tool_calls.given.grammars import spell, spelling
from labs.lab_11_tool_calls.given.guides import ToolGuide, listed_ids
from labs.lab_11_tool_calls.given.joining import Joined, Node, Triggers, after, bounded, rows_of, shared_alphabet
from labs.lab_11_tool_calls.given.openings import Body, Opening, either, openings_of
from labs.lab_11_tool_calls.given.stream import AnswerStream
from labs.lab_11_tool_calls.given.tools import Tool, chosen_tools, read_tools

DOUBLES = (GuideOfFunctions, Worker, StructuredOutputState, SamplingParams, format_named)
"""Given, for the tests: a guide made of functions, and a worker that is driven by hand."""

# Part one: the idea. Triggers -----------------------------------------------------------------------------


def build_trie(texts: Collection[str]) -> tuple[list[dict[str, Node]], list[str | None]]:
    """Given: put texts into a trie over their characters, as in lab 03.

    A node stands for a prefix, so it says how much of a text has been written. Node 0 is the root, where nothing has
    been written yet. The others are numbered as they're needed, one text after the other.

    Returns:
        Two lists, each with an entry for each node: its children by character, and the text that ends there, or None.

    Raises:
        ValueError: if a text is empty, because it would be found everywhere.

    >>> build_trie(["<a>", "b"])
    ([{'<': 1, 'b': 4}, {'a': 2}, {'>': 3}, {}, {}], [None, None, None, '<a>', 'b'])
    """
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


def step(triggers: Triggers, node: Node, char: str) -> Node:
    """Return the node after one more character.

    Look at the end of the text that you've read, with ``char`` as its last character. The longest piece of it that's in
    the trie is where you are now. With the trigger ``aab``, after ``aaa`` that's ``aa``, because the last two letters
    may be the start of the trigger.

    Args:
        triggers: ``triggers.children[node]`` has the child by each character, and ``triggers.failure[node]`` is the
            node from which you continue if no child fits.

    >>> aab = Triggers([{"a": 1}, {"a": 2}, {"b": 3}, {}], [0, 0, 1, 0], [None, None, None, "aab"])
    >>> nodes = [0]
    >>> for char in "aaab":
    ...     nodes.append(step(aab, nodes[-1], char))
    >>> nodes, aab.found[nodes[-1]]
    ([0, 1, 2, 2, 3], 'aab')
    """
    # begin TODO
    # subtle: after "aa" an a leads to "aa" again, not to the root: its end is the start of a trigger
    while node and char not in triggers.children[node]:
        node = triggers.failure[node]
    return triggers.children[node].get(char, 0)
    # end TODO


def failure_links(
    children: Sequence[Mapping[str, Node]], ends: Sequence[str | None]
) -> tuple[list[Node], list[str | None]]:
    """Return where each node continues if no child fits, and which trigger has just been written there.

    The end of what you've read may be the start of another text, and thanks to these links you don't have to read it
    again. Take the text of a node, and cut characters off its front, at least one, until what's left is in the trie:
    its node is the *failure*. (The root's failure is the root itself.) The trigger that a node has *found* is the
    longest one that its text ends with. Don't rely on the nodes' numbers, because a child's may be smaller than its
    parent's. (The idea is Aho and Corasick's, 1975.)

    Args:
        children, ends: as ``build_trie`` returns them.

    Returns:
        Two lists, each with an entry for each node: its failure, and the trigger that it has found, or None.

    In the trie of ``xabc`` and ``ab``, nodes 1 to 4 are x, xa, xab and xabc, and nodes 5 and 6 are a and ab:

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
    """Given: return the automaton of some triggers, made by your functions.

    >>> make_triggers(["xabc", "ab"]).failure
    [0, 0, 5, 6, 0, 0, 0]
    """
    children, ends = build_trie(texts)
    return Triggers(children, *failure_links(children, ends))


def free_rows(triggers: Triggers, symbols: Sequence[str]) -> list[list[Node]]:
    """Given: return where each node leads by each of some characters, as your ``step`` says.

    >>> free_rows(make_triggers(["aab"]), ["a", "b", "c"])
    [[1, 0, 0], [2, 0, 0], [2, 3, 0], [1, 0, 0]]
    """
    return [[step(triggers, node, char) for char in symbols] for node in range(len(triggers.children))]


# One automaton for both modes -----------------------------------------------------------------------------


def link_triggers(triggers: Triggers, root: int, entries: Mapping[str, int], closed: bool = False) -> list[int]:
    """Return the state that each node of the triggers becomes in the joined automaton.

    As long as no trigger is complete, you're in free text. Once one is complete, its call has begun, so a node that has
    found a trigger becomes the state in which that call begins.

    Args:
        root: the state that node 0 becomes. A node n that has found no trigger becomes ``root + n``.
        entries: for each trigger, the state in which its call begins, or -1 if it mustn't open a call.
        closed: whether no trigger may open a call any more. Then all of them lead to -1, the dead state.

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
    """Build the automaton of a whole answer: free text, a call, free text, another call, and so on.

    Once the last character of a trigger is written, you're in its body, and once a body is complete, you're back in
    free text. These are the two places where you join the automata together.

    Args:
        bodies: for each trigger its body, which is a pair: the automaton of its calls, and the state in which to enter
            it. The body is None if the trigger mustn't open a call. Two triggers may share an automaton. No text of a
            body is empty, or a prefix of another one.
        required: whether the answer may end only after a call.
        parallel: whether calls may follow the first one.

    Returns:
        The automaton, in blocks of rows. The first block is free text before a call. The second is free text after a
        call, but only if ``required`` or not ``parallel``. Otherwise leave it out, because every state costs memory and
        time in a guide, and the first block serves for both. Then comes each automaton of ``bodies``, once. ``held``
        repeats ``Triggers.depths`` for each block of free text.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
    >>> joined = join({"<": (compile_dfa("[0-9]+>"), 0)})
    >>> [fullmatch(joined.dfa, text) for text in ("a", "a<7>b<8>", "a<7", "a<b>")], joined.held
    ([True, True, False, False], [0, 1])
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


def merge_openings(openings: Sequence[Opening]) -> dict[str, Body | None]:
    """Give each trigger a single body, as ``join`` needs it, even where one opening begins with another.

    Free text ends with the first opening that's complete, so after ``<t>`` it's too late to look for ``<t>x=``. A call
    that should begin with ``<t>x=`` becomes a call of ``<t>`` instead: after ``<t>``, the model writes either the body
    of ``<t>``, or ``x=`` and then the body of ``<t>x=``. ``either`` makes such a choice.

    Args:
        openings: pairs of a text and its body. The body is None if the text mustn't open a call.

    Returns:
        A body for each text that doesn't begin with another one, in the order of ``openings``. It's a choice between
        all the openings that begin with this text. Those with None add nothing to the choice, and if there's nothing to
        choose from, the body is None. If the text's own body is the only choice, return that same object.

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


def tool_automaton(
    row: Format,
    tools: Sequence[Tool],
    tool_choice: Any = "auto",
    *,
    parallel: bool = True,
    spelled: Mapping[str, str] | None = None,
    alone: bool = False,
) -> Joined:
    """Given: return the automaton of the answers to a request with tools.

    A required call comes first, because text before it would only waste the budget. If a format's turn ends with its
    calls, nothing may follow them, because parsers would read it as a part of the call.

    Args:
        alone: whether an answer is nothing but calls, as it is beside a ``response_format``.

    Raises:
        ValueError: if the choice fits no tool, or a tool's schema can't be compiled.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> joined = tool_automaton(format_named("llama"), [Tool("now")], "required")
    >>> [fullmatch(joined.dfa, text + "<function=now>{}</function>") for text in ("", "Hm. ")]
    [True, False]
    """
    chosen, required = chosen_tools(tools, tool_choice)
    names = {tool.name for tool in chosen}
    if alone:
        row, required = replace(row, ends_turn=True), True
    bodies = merge_openings(openings_of(row, tools, names, parallel=parallel, spelled=spelled))
    # The text after a call gets its own block even if only the end of the turn changes what may come. If a format has
    # no second block, its parser would drop one, so none may begin there.
    joined = join(bodies, required=required or row.ends_turn, parallel=parallel and row.repeat is not None)
    dfa = joined.dfa
    if required or row.ends_turn:
        repeat = spell(row.repeat or "", spelled or {})
        first = [text for text in bodies if not repeat or not text.startswith(repeat)] if required else None
        again = [text for text in bodies if row.repeat is not None and text.startswith(repeat)]
        dfa = bounded(dfa, len(joined.held) // 2, first, again if row.ends_turn else None)
    return Joined(after(dfa, spell(row.begun, spelled or {})), joined.held)


def think_first(joined: Joined, end: str, special: Collection[str] = ()) -> Joined:
    """Given: return the automaton of an answer that begins with a thinking block: free text up to ``end``.

    It's the idea of ``join`` once more. The end of the block is the only trigger, and its body is the whole answer.
    Therefore no call can begin in the block, and a token may end it and continue into a call.

    Args:
        special: characters that stand for special tokens. The block may contain them only as a part of its end.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
    >>> joined = think_first(join({"<": (compile_dfa("[0-9]+>"), 0)}), "/t")
    >>> [fullmatch(joined.dfa, text) for text in ("hm /t", "a</t<7>", "a<7>", "/t<b")], joined.held
    ([True, True, False, False], [0, 1, 0, 1, 2])
    """
    entries = dict.fromkeys(special, DEAD) | {end: joined.dfa.initial}
    triggers = make_triggers(entries)
    alphabet = shared_alphabet([joined.dfa], set("".join(entries)))
    n_free, n_new = len(joined.held), len(triggers.found)
    # The block's rows come after those of free text, and the calls move down to make room.
    rows = rows_of(joined.dfa, alphabet.symbols)
    rows = np.where(rows < n_free, rows, rows + n_new)
    states = np.array(link_triggers(triggers, n_free, entries))
    table = np.insert(rows, n_free, states[np.array(free_rows(triggers, alphabet.symbols))], axis=0)
    accepting = np.insert(joined.dfa.accepting, n_free, np.zeros(n_new, bool))
    return Joined(Dfa(alphabet.bounds, alphabet.classes, table, n_free, accepting), [*joined.held, *triggers.depths])


# The answer -----------------------------------------------------------------------------------------------


def split_answer(joined: Joined, state: int, held: str, text: str) -> tuple[int, str, list[tuple[str, str]]]:
    """Take the next piece of an answer apart: what can be sent, and what has to wait because it may become a call.

    In free text, the last ``joined.held[state]`` characters have to wait, because they may be the start of a trigger.
    All the others can be sent. In a call, everything waits, from the start of its trigger. And if the automaton is
    dead, the text was written without masks, so from there on everything waits for a parser.

    Args:
        joined: ``joined.dfa.step(state, ord(char))`` is the state after a character, unless the automaton is dead.
        state: the state so far, at first ``joined.dfa.initial``; -1 once the automaton is dead.
        held: the text that has been waiting so far.
        text: the next piece, of any length.

    Returns:
        The new state, the text that has to wait now, and the parts in order: ``("text", ...)`` for each run of free
        text, and ``("block", ...)`` for each complete call. A block is all the text that was waiting when its body was
        complete.

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


# Given: arguments while they are written ------------------------------------------------------------------


def argument_spans(text: str, depth: int) -> list[tuple[int, int]]:
    """Given: find the arguments of the calls in a block, even while they're being written.

    A client wants to see the arguments as they grow, but a parser can't read a call until it's complete. So this
    looks for the objects at a certain depth of braces, without understanding what's in them.

    Args:
        text: a block, or as much of it as there is. A tool's name may contain any character, so outside all braces,
            quotes and closing braces count for nothing.
        depth: how many braces are open in the arguments: 1 in ``now{...}``, 2 in ``{"name": ..., "arguments": {...}}``.

    Returns:
        A pair for each object: the place of its first character, and the place after its last one. If the object isn't
        complete yet, the second is the length of the text.

    >>> argument_spans('now{"zone": "}"}stop{"a', 1)
    [(3, 16), (20, 23)]
    """
    spans: list[tuple[int, int]] = []
    open_braces, in_string, escaped = 0, False, False
    for place, char in enumerate(text):
        if in_string:
            # subtle: a quote after a backslash doesn't end the string, unless the backslash is itself escaped
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


class ToolCallStream(AnswerStream):
    """Given: takes an answer apart into free text and calls while it's being written, with your functions.

    >>> row, tools = format_named("mistral_bare"), [Tool("now")]
    >>> stream = ToolCallStream(row, tools, tool_automaton(row, tools), {}, lambda: "call_1")
    >>> for text in ("Hm. [TOOL", "_CALLS]now{", "}"):
    ...     print(stream.feed(text))
    (['Hm. '], [])
    ([], [{'index': 0, 'id': 'call_1', 'type': 'function', 'function': {'name': 'now', 'arguments': ''}}, \
{'index': 0, 'function': {'arguments': '{'}}])
    ([], [{'index': 0, 'function': {'arguments': '}'}}])
    """

    @property
    def is_dead(self) -> bool:
        """Whether no mask would have let the text through."""
        return self._state == DEAD

    @property
    def is_whole(self) -> bool:
        """Whether calls have been reported, and nothing is held back."""
        return bool(self.deltas) and not self._held and 0 <= self._state < len(self._joined.held)

    def split(self, state: int, held: str, text: str) -> tuple[int, str, list[tuple[str, str]]]:
        """Take a piece of the answer apart.

        >>> row = format_named("mistral_bare")
        >>> ToolCallStream(row, [], tool_automaton(row, [])).split(0, "", "Hm. [")
        (1, '[', [('text', 'Hm. ')])
        """
        return split_answer(self._joined, state, held, text)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Find the arguments in a block.

        >>> row = format_named("mistral_bare")
        >>> ToolCallStream(row, [], tool_automaton(row, [])).spans("now{}")
        [(3, 5)]
        """
        return argument_spans(text, self._depth)


# Part two, optional: in an engine. Masks and guides -------------------------------------------------------


def mask_rows(
    states: Sequence[StructuredOutputState | None],
    logits: NDArray[np.float32],
    remaining: Sequence[int | None] | None = None,
) -> None:
    """Mask the logits of a batch in place, as lab 09's ``mask_batch`` does, but with less work for tool calls.

    Free text forbids only a few tokens and a call allows only a few, so there's always a short list of ids. If a row's
    guide is a ``ToolGuide``, ask it for the mask, and ask ``listed_ids`` for the list. If these are the forbidden ids,
    overwrite only their logits. If they're the allowed ones, overwrite the whole row, and put their logits back. Leave
    all other rows to a single call of ``mask_batch``.

    Args:
        states, logits, remaining: see ``mask_batch``. Don't change the two lists.

    After ``<function=``, the tool ``now`` leaves a single letter of 256 bytes and EOS:

    >>> from mask_engine import tool_outputs
    >>> guide = tool_outputs(Vocabulary.bytes(), "llama").compile_tools([Tool("now")], "auto", True)
    >>> state = guide.initial
    >>> for byte in b"<function=":
    ...     state = guide.advance(state, byte)
    >>> logits = np.ones((2, 257), np.float32)
    >>> mask_rows([None, StructuredOutputState(guide, state)], logits)
    >>> (logits == 1).sum(axis=1).tolist(), bytes(np.flatnonzero(logits[1] == 1).tolist())
    ([257, 1], b'n')
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
    """Given: lab 09's processor with your ``mask_rows``. It counts the rows that it masks.

    >>> processor = ToolMaskProcessor()
    >>> processor([None, None], np.zeros((2, 3), np.float32))  # two requests without a constraint
    >>> processor.num_masked
    0
    """

    def __call__(
        self,
        states: Sequence[StructuredOutputState | None],
        logits: NDArray[np.float32],
        remaining: Sequence[int | None] | None = None,
    ) -> None:
        """Mask a batch in place."""
        self.num_masked += sum(state is not None for state in states)
        mask_rows(states, logits, remaining)


def tool_set_key(
    row_name: str, tools: Sequence[Tool], tool_choice: Any = "auto", parallel: bool = True, fingerprint: str = ""
) -> str:
    """Given: return a key that is the same for two requests exactly when one guide can serve both.

    If the key left out something that the masks depend on, one client would get masks that were made for another. The
    order of a schema's properties is in it, because arguments are written in that order. The order of the tools isn't.

    Args:
        row_name: the format's name.
        tools: each has a ``name``, and ``parameters``, its JSON Schema.
        tool_choice: which tools may be called, and whether one must be: see ``chosen_tools``, which raises a
            ValueError if the choice fits no tool.
        parallel: whether calls may follow the first one.
        fingerprint: of the vocabulary (lab 09).

    Returns:
        A SHA-256 hash in hexadecimal.

    >>> now, stop = Tool("now", pointer="/tools/0"), Tool("stop", pointer="/tools/1")
    >>> tool_set_key("hermes", [now, stop]) == tool_set_key("hermes", [stop, now], None)
    True
    >>> tool_set_key("hermes", [now, stop]) == tool_set_key("hermes", [now, stop], "required")
    False
    """
    some, required = chosen_tools(tools, tool_choice)
    names = sorted(tool.name for tool in some)
    # subtle: lists in JSON keep apart what joined texts would mix, and keys stay in their order
    schemas = sorted([tool.name, json.dumps(tool.parameters)] for tool in tools)
    parts = [row_name, schemas, names, required, parallel, fingerprint]
    return sha256(json.dumps(parts).encode()).hexdigest()


class ThinkingGuide(ToolGuide):
    """Given: a tool guide through answers that think first, for at most so many tokens.

    As in lab 05, a token is allowed only if the block can still end in time after it. A state within the block is a
    pair: the wrapped guide's state, and how many tokens the block may still have, its end included. The token that ends
    the block counts, even if it goes on into the answer.

    The block has few states, since all that matters is how much of its end has been written. So a search finds once how
    many tokens each of them is from the end. As long as more are left, the masks are the wrapped guide's own.

    Args:
        guide: of the whole answer, such as ``TreeToolGuide``; its ``thinks`` tells which states are in the block.
        tokens: its states, as lab 07 holds them, which know where tokens lead.
        budget: how many tokens the block may have.

    Attributes:
        targets: for each state of the block, the states to which tokens lead.
        leave: for each of them, the fewest tokens to the end of the block.

    Raises:
        ThinkingTooShort: if no block fits into the budget.

    >>> from mask_engine import tool_outputs
    >>> guide = tool_outputs(Vocabulary.bytes(), "llama").compile_tools((), "none", True, None, 20)
    >>> state = guide.advance(guide.initial, ord("<"))
    >>> state[1], guide.leave[state[0]]
    (19, 7)
    """

    def __init__(self, guide: Any, tokens: Any, budget: int) -> None:
        self.whole: ToolGuide = guide
        self.tokens, self.thinks = tokens, cache(guide.thinks)
        self.after, self.listed, self.form = guide.after, guide.listed, guide.form
        self.initial = guide.initial, budget
        self.targets: dict[int, list[int]] = {}
        waiting = [guide.initial]
        while waiting:
            if (state := waiting.pop()) not in self.targets:
                self.targets[state] = tokens.targets(state)
                waiting += filter(self.thinks, self.targets[state])
        self.leave = self._distances()
        if self.leave[guide.initial] > budget:
            raise ThinkingTooShort(budget, self.leave[guide.initial])
        self._masks: dict[tuple[Any, ...], NDArray[np.int32]] = {}

    def _distances(self) -> dict[int, float]:
        """Search backwards, level by level: from the states after which a token can end the block."""
        leave = dict.fromkeys(self.targets, inf)
        level, steps = [state for state in leave if not all(map(self.thinks, self.targets[state]))], 0
        while level:
            steps += 1
            leave |= dict.fromkeys(level, steps)
            level = [state for state in leave if leave[state] == inf and not {*level}.isdisjoint(self.targets[state])]
        return leave

    def mask(self, state: Any, remaining: int | None = None) -> NDArray[np.int32]:
        """Return the tokens that may come next, within both budgets: the block's and the answer's.

        >>> from mask_engine import tool_outputs
        >>> guide = tool_outputs(Vocabulary.bytes(), "llama").compile_tools((), "none", True, None, 9)
        >>> state = guide.advance(guide.initial, ord("a"))  # which leaves just enough for the end
        >>> guide.mask(state).tolist() == [0, 1 << ord("<") - 32, *[0] * 7]
        True
        """
        if not isinstance(state, tuple):
            return self.whole.mask(state, remaining)
        inner, left = state
        furthest = max(self.leave.values())
        if remaining is not None and remaining >= self.tokens.ample + furthest:
            remaining = None
        # A shortest way through the block meets no state twice, so more tokens than states are as good as any number.
        if left > (furthest if remaining is None else max(furthest, len(self.leave))):
            return self.whole.mask(inner, remaining)
        key = inner, left, remaining
        if key not in self._masks:
            if len(self._masks) >= 1000:
                self._masks.clear()
            fits, rest = cache(self._fits), None if remaining is None else remaining - 2
            self._masks[key] = self.tokens.mask_of(
                inner, lambda targets: [fits(after, left - 1, rest, fits) for after in targets]
            )
        return self._masks[key]

    def _fits(self, state: int, left: int, rest: int | None, fits: Callable[..., bool]) -> bool:
        """Return whether the block can end after ``left`` tokens, and the answer after ``rest``."""
        if not self.thinks(state):
            return rest is None or bool(self.tokens.within(state, rest))
        if self.leave[state] > left or rest is None:
            return self.leave[state] <= left
        if left >= len(self.leave):
            return bool(self.tokens.within(state, rest))
        return rest > 0 and any(fits(after, left - 1, rest - 1, fits) for after in self.targets[state])

    def fill(
        self, states: Sequence[Any], out: NDArray[np.int32], remaining: int | Sequence[int | None] | None = None
    ) -> None:
        """Write the mask of each state into a row of a batch.

        >>> from mask_engine import tool_outputs
        >>> guide = tool_outputs(Vocabulary.bytes(), "llama").compile_tools((), "none", True, None, 9)
        >>> out = np.zeros((1, 9), np.int32)
        >>> guide.fill([guide.initial], out)
        >>> out.tolist() == [guide.mask(guide.initial).tolist()]
        True
        """
        budgets = remaining if isinstance(remaining, Sequence) else [remaining] * len(states)
        for row, state, budget in zip(out, states, budgets, strict=True):
            row[:] = self.mask(state, budget)

    def advance(self, state: Any, token_id: int) -> Any:
        """Return the state after a token.

        >>> from mask_engine import tool_outputs
        >>> guide = tool_outputs(Vocabulary.bytes(), "llama").compile_tools((), "none", True, None, 9)
        >>> guide.advance(guide.initial, ord("a"))[1]
        8
        """
        if not isinstance(state, tuple):
            return self.whole.advance(state, token_id)
        inner, left = state
        after = self.whole.advance(inner, token_id)
        if not self.thinks(after):
            return after
        if self.leave[after] >= left:
            raise TokenNotAllowed(token_id, f"state {inner} with {left} tokens left to think")
        return after, left - 1

    def answer(self) -> Joined:
        """Return the automaton with which the calls of one answer are read, without its thoughts.

        >>> from mask_engine import tool_outputs
        >>> guide = tool_outputs(Vocabulary.bytes(), "llama").compile_tools((), "none", True, None, 9)
        >>> len(guide.answer().held) < guide.whole.n_free
        True
        """
        return self.whole.answer()

    def is_free(self, state: Any) -> bool:
        """Return whether a state is one of free text, as thinking is.

        >>> from mask_engine import tool_outputs
        >>> guide = tool_outputs(Vocabulary.bytes(), "llama").compile_tools((), "none", True, None, 9)
        >>> guide.is_free(guide.initial)
        True
        """
        return isinstance(state, tuple) or self.whole.is_free(state)

    def is_accepting(self, state: Any) -> bool:
        """Return whether the answer may end here.

        >>> from mask_engine import tool_outputs
        >>> guide = tool_outputs(Vocabulary.bytes(), "llama").compile_tools((), "none", True, None, 9)
        >>> guide.is_accepting(guide.initial)
        False
        """
        return not isinstance(state, tuple) and self.whole.is_accepting(state)

    def tokens_to_accept(self, state: Any) -> int | float:
        """Return the fewest tokens to the end of the answer, EOS not counted.

        >>> from mask_engine import tool_outputs
        >>> guide = tool_outputs(Vocabulary.bytes(), "llama").compile_tools((), "none", True, None, 9)
        >>> guide.tokens_to_accept(guide.initial)
        8
        """
        fewest = cache(self._fewest)
        return fewest(*state, fewest) if isinstance(state, tuple) else self.whole.tokens_to_accept(state)

    def _fewest(self, state: int, left: int, fewest: Callable[..., float]) -> float:
        if not self.thinks(state):
            return self.whole.tokens_to_accept(state)
        if self.leave[state] > left:
            return inf
        left = min(left, len(self.leave)) - 1
        return 1 + min(fewest(after, left, fewest) for after in self.targets[state])


class ToolCallManager(StructuredOutputManager):
    """Given: lab 09's manager, for a model that writes one format; your ``tool_set_key`` finds the guides.

    It also takes the ``response_format`` ``{"type": "tools", "tools": [...], "tool_choice": ...,
    "parallel_tool_calls": ..., "response_format": ..., "thinking": ...}``, of which all but the tools may be missing.
    The inner ``response_format`` is the one of an answer without calls, and ``thinking`` is how many tokens the model
    may think first.

    Args:
        vocabulary, row: the model's vocabulary and format.
        compile_tools: takes the tools, the choice, and whether calls may be parallel, and makes the guide. If an answer
            has a format, or thinks, it also takes the format (or None) and the tokens for thinking.
        compile_format, submit, options: see ``StructuredOutputManager``.

    Attributes:
        spelled, vocabulary: the characters of the format's special texts, and the vocabulary that has them.

    >>> manager = ToolCallManager(Vocabulary.toy(), format_named("llama"), print, print, Worker().submit)
    >>> manager.add(Request("a", (3,), SamplingParams(), {"type": "tools", "tools": []}))
    >>> manager.cache.num_compiling()
    1
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        row: Format,
        compile_tools: Callable[..., Guide],
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

        >>> manager = ToolCallManager(Vocabulary.toy(), format_named("llama"), print, print, Worker().submit)
        >>> manager.add(Request("a", (3,), SamplingParams(), {"type": "tools", "tools": [7]}))
        Traceback (most recent call last):
        labkit.errors.InvalidSchema: a tool is an object of the type function, with a function, at /tools/0
        """
        asked = request.response_format
        if asked.get("type") != "tools":
            super().add(request)
            return
        key, wanted = self.wanted(asked)
        self.tickets[request.request_id] = (key, self.cache.get(key, lambda: self.compile_tools(*wanted)))

    def wanted(self, asked: Mapping[str, Any]) -> tuple[Hashable, tuple[Any, ...]]:
        """Return the key of a request with tools, and what ``compile_tools`` takes.

        >>> manager = ToolCallManager(Vocabulary.toy(), format_named("llama"), print, print, Worker().submit)
        >>> manager.wanted({"tools": [], "thinking": 9})[1]
        ((), None, True, None, 9)
        """
        tools, choice = read_tools(asked["tools"], self.row), asked.get("tool_choice")
        parallel = asked.get("parallel_tool_calls") is not False
        form, thinking = read_response_format(asked.get("response_format") or {"type": "text"}), asked.get("thinking")
        key = tool_set_key(self.row.name, tools, choice, parallel, self.fingerprint)
        more = (form, thinking) if form or thinking else ()
        return (key, *more), (tools, choice, parallel, *more)
