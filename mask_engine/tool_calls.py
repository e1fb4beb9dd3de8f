"""The answer to a request with tools as one tree: the student's automaton, in which a symbol stands for each argument.

An argument is the tree of its schema. It is walked when a text first reaches it, and may nest without end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from labkit.automata.dfa import CODE_POINTS, DEAD, Dfa
from labkit.automata.grammar import CALL, call
from labkit.automata.syntax import Chars
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_11_tool_calls.given.formats import Format
from labs.lab_11_tool_calls.given.grammars import spell
from labs.lab_11_tool_calls.given.guides import ToolGuide
from labs.lab_11_tool_calls.given.joining import Joined
from labs.lab_11_tool_calls.given.tools import Tool, chosen_tools
from labs.lab_11_tool_calls.solution import think_first, tool_automaton
from mask_engine.operations import live
from mask_engine.patterns.lazy import LazyDfa, Spelled, Tree


class _Symbols:
    """The symbols that stand for trees: surrogates, which no text has."""

    def __init__(self) -> None:
        self.trees: list[Tree] = []
        self._known: dict[int, Dfa] = {}

    def __call__(self, tree: Tree) -> Dfa:
        """Return the automaton of a tree's symbol.

        Raises:
            LimitExceeded: if there are more trees than symbols.
        """
        if id(tree) not in self._known:
            self._known[id(tree)] = compile_dfa(call(len(self.trees)))
            self.trees.append(tree)
        return self._known[id(tree)]

    def spelled_out(self, dfa: Dfa, n_free: int, root: int | None = None) -> Spelled:
        """Return an automaton with a class for each symbol, spelled by its tree; free text reads no symbols.

        Args:
            root: the state in which the last tree may come, as a whole answer; none if it is a symbol like the others.
        """
        first, end = CALL - len(self.trees) + 1, CALL + 1
        codes = range(first, end)
        points = dict(zip(dfa.bounds.tolist(), dfa.classes.tolist(), strict=True))
        points = {bound: each for bound, each in points.items() if not first <= bound <= end}
        points |= {code: dfa.n_classes + place for place, code in enumerate(codes)}
        points |= {end: dfa.class_of(end)} if end < CODE_POINTS else {}
        symbols = dfa.transitions[:, [dfa.class_of(code) for code in codes]]
        symbols[:n_free] = DEAD
        bounds, table, accepting = sorted(points), np.hstack([dfa.transitions, symbols]), dfa.accepting
        if root is not None:
            table = np.vstack([table, np.full_like(table[:1], DEAD)])
            table[:, dfa.n_classes] = DEAD
            table[root, dfa.n_classes], accepting = len(dfa), np.append(accepting, True)
        whole = Dfa(bounds, [points[bound] for bound in bounds], table, dfa.initial, accepting)
        return Spelled(live(whole), (*map(Chars, whole.class_ranges[: dfa.n_classes]), *reversed(self.trees)))


class Answers(NamedTuple):
    """The answers to a request.

    Attributes:
        whole: their tree, which masks are made of.
        calls: the tree of those without thinking and not in the format, by which an answer is read.
        held: how much each free state of ``calls`` holds (``Joined``).
        n_free: how many free states ``whole`` has: those of ``calls``, and those of the thinking block.
        form: the tree of those in the format; None if there is no format, or a call is required.
    """

    whole: Spelled
    calls: Spelled
    held: Sequence[int]
    n_free: int
    form: Tree | None


def tool_tree(
    row: Format,
    tools: Sequence[Tool],
    choice: Any,
    *,
    parallel: bool,
    spelled: Mapping[str, str],
    form: Tree | None = None,
    thinks: bool = False,
) -> Answers:
    """Return the trees of the answers to a request with tools.

    Args:
        row, tools, choice, parallel, spelled: see ``tool_automaton``.
        form: the tree of the answers without a call; None if they are free text. Beside it no text stands around calls.
        thinks: whether an answer begins with a thinking block.

    Raises:
        ValueError: if the format has headers, which would stand before thinking, and before an answer in a format.

    >>> from labs.lab_11_tool_calls.given.formats import FORMATS
    >>> tools = [Tool("keep", {"type": "object"})]
    >>> answers = tool_tree(FORMATS["hermes"], tools, "auto", parallel=True, spelled={})
    >>> len(answers.held) < len(answers.calls.dfa), LazyDfa(answers.whole).nests
    (True, True)
    """
    if row.headers and (thinks or form is not None):
        raise ValueError(f"in {row.name} messages have headers: neither a format nor thinking can stand beside tools")
    symbols = _Symbols()
    some = [replace(tool, automaton=symbols) for tool in tools]
    joined = tool_automaton(row, some, choice, parallel=parallel, spelled=spelled, alone=form is not None)
    calls = symbols.spelled_out(joined.dfa, len(joined.held))
    form = None if chosen_tools(tools, choice)[1] else form
    if form is None and not thinks:
        return Answers(calls, calls, joined.held, len(joined.held), None)
    thinking = think_first(joined, spell(row.thinks[1], spelled), spelled.values()) if thinks else joined
    if form is not None:
        symbols.trees.append(form)
    root = None if form is None else joined.dfa.initial
    whole = symbols.spelled_out(thinking.dfa, len(thinking.held), root)
    return Answers(whole, calls, joined.held, len(thinking.held), form)


class TreeToolGuide(ToolGuide):
    """A tool guide through the tree of an answer: free text is where no reading is within a call.

    Args:
        guide: of the whole tree; its ``places`` are those of ``LazyDfa``.
        answers: as ``tool_tree`` returns them.
    """

    def __init__(self, guide: Any, answers: Answers) -> None:
        super().__init__(guide, answers.n_free, len(answers.whole.dfa))
        self._places, self._answers = guide.places, answers

    def is_free(self, state: Any) -> bool:
        """Return whether a state is one of free text, not one inside a call."""
        return state >= 0 and all(0 <= place < self.n_free for place in self._places(state))

    def thinks(self, state: Any) -> bool:
        """Return whether a state is within the thinking block."""
        return state >= 0 and all(len(self._answers.held) <= each < self.n_free for each in self._places(state))

    def answer(self) -> Joined:
        """Return what the calls of one answer are read with."""
        walk: Any = AnswerWalk(self._answers.calls)
        return Joined(walk, self._answers.held)

    def form(self) -> LazyDfa | None:
        """Return the automaton of the answers in the format."""
        return None if self._answers.form is None else LazyDfa(self._answers.form)


class AnswerWalk:
    """One answer, read character by character, in the place of lab 11's automaton: what ``split_answer`` steps through.

    It knows where it is, so it reads one answer only, and only forwards.

    Args:
        tree: of the answer.

    >>> letters = Dfa([0, 1, 2], [0, 1, DEAD], [[0, 1], [DEAD, 0]], initial=0, accepting=[True, False])
    >>> from labs.lab_06_regex_to_dfa.solution import parse_tree
    >>> walk = AnswerWalk(Spelled(letters, (parse_tree("[a-z]"), parse_tree("<[0-9]*>"))))
    >>> states = [walk.initial]
    >>> for char in "a<7><]":
    ...     states.append(walk.step(states[-1], ord(char)))
    >>> states
    [0, 0, 2, 2, 1, 2, -1]
    """

    def __init__(self, tree: Spelled) -> None:
        self._states, self._size = LazyDfa(tree), len(tree.dfa)
        self._state = self._states.initial
        self.initial = tree.dfa.initial

    def step(self, state: int, code: int) -> int:
        """Return the answer's own state after one more character; their number inside an argument; -1 where dead.

        Args:
            state: the state so far, which the walk knows.
        """
        self._state = DEAD if self._state == DEAD else self._states.step(self._state, code)
        if self._state == DEAD:
            return DEAD
        return min((place for place in self._states.places(self._state) if place != DEAD), default=self._size)
