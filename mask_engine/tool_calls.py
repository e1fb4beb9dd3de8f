"""The answer to a request with tools as one tree: the student's automaton, in which a symbol stands for each argument.

An argument is the tree of its schema. It is walked when a text first reaches it, and may nest without end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from labkit.automata.dfa import CODE_POINTS, DEAD, Dfa
from labkit.automata.grammar import CALL, call
from labkit.automata.syntax import Chars
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_11_tool_calls.given.formats import Format
from labs.lab_11_tool_calls.given.guides import ToolGuide
from labs.lab_11_tool_calls.given.joining import Joined
from labs.lab_11_tool_calls.given.tools import Tool
from labs.lab_11_tool_calls.solution import tool_automaton
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

    def spelled_out(self, dfa: Dfa, n_free: int) -> Spelled:
        """Return an automaton with a class for each symbol, spelled by its tree; free text reads no symbols."""
        first, end = CALL - len(self.trees) + 1, CALL + 1
        codes = range(first, end)
        points = dict(zip(dfa.bounds.tolist(), dfa.classes.tolist(), strict=True))
        points = {bound: each for bound, each in points.items() if not first <= bound <= end}
        points |= {code: dfa.n_classes + place for place, code in enumerate(codes)}
        points |= {end: dfa.class_of(end)} if end < CODE_POINTS else {}
        symbols = dfa.transitions[:, [dfa.class_of(code) for code in codes]]
        symbols[:n_free] = DEAD
        bounds = sorted(points)
        whole = Dfa(
            bounds,
            [points[bound] for bound in bounds],
            np.hstack([dfa.transitions, symbols]),
            dfa.initial,
            dfa.accepting,
        )
        return Spelled(live(whole), (*map(Chars, whole.class_ranges[: dfa.n_classes]), *reversed(self.trees)))


def tool_tree(
    row: Format, tools: Sequence[Tool], choice: Any, *, parallel: bool, spelled: Mapping[str, str]
) -> tuple[Spelled, Sequence[int]]:
    """Return the tree of the answers to a request with tools, and how much each free state holds (``Joined``).

    Args: see ``tool_automaton``.

    >>> from labs.lab_11_tool_calls.given.formats import FORMATS
    >>> tools = [Tool("keep", {"type": "object"})]
    >>> tree, held = tool_tree(FORMATS["hermes"], tools, "auto", parallel=True, spelled={})
    >>> len(held) < len(tree.dfa), LazyDfa(tree).nests
    (True, True)
    """
    symbols = _Symbols()
    some = [replace(tool, automaton=symbols) for tool in tools]
    joined = tool_automaton(row, some, choice, parallel=parallel, spelled=spelled)
    return symbols.spelled_out(joined.dfa, len(joined.held)), joined.held


class TreeToolGuide(ToolGuide):
    """A tool guide through the tree of an answer: free text is where no reading is within a call.

    Args:
        guide: of the tree; its ``places`` are those of ``LazyDfa``.
        tree, held: as ``tool_tree`` returns them.
    """

    def __init__(self, guide: Any, tree: Spelled, held: Sequence[int]) -> None:
        super().__init__(guide, len(held), len(tree.dfa))
        self._places, self._tree, self._held = guide.places, tree, held

    def is_free(self, state: Any) -> bool:
        """Return whether a state is one of free text, not one inside a call."""
        return state >= 0 and all(0 <= place < self.n_free for place in self._places(state))

    def answer(self) -> Joined:
        """Return what one answer is read with."""
        walk: Any = AnswerWalk(self._tree)
        return Joined(walk, self._held)


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
