"""The answer to a request with tools as one tree: the student's automaton, in which a symbol stands for each argument.

An argument is the tree of its schema. It is walked when a text first reaches it, and may nest without end.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from labkit.automata.dfa import DEAD, Dfa
from labkit.automata.grammar import call
from labkit.automata.syntax import Chars, Ranges
from labkit.automata.walks import AnswerWalk
from labs.lab_06_regex_to_dfa.given.subsets import States
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_11_tool_calls.given.formats import Format
from labs.lab_11_tool_calls.given.grammars import spell
from labs.lab_11_tool_calls.given.guides import ToolGuide
from labs.lab_11_tool_calls.given.joining import Joined, rows_of
from labs.lab_11_tool_calls.given.tools import Tool, chosen_tools
from labs.lab_11_tool_calls.solution import think_first, tool_automaton
from mask_engine.compiling import characters_of
from mask_engine.ecma.items import characters
from mask_engine.patterns.lazy import LazyDfa, Rule, Spelled, Tree
from mask_engine.tool_calls.arguments import with_all_keywords
from mask_engine.trees.within import lettered

if TYPE_CHECKING:  # a copy of the course may end before this lab
    from labs.lab_12_pushdown import solution as lab_12


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
        symbols = rows_of(dfa, [call(number) for number, _ in enumerate(self.trees)])
        symbols[:n_free] = DEAD
        table, accepting = np.hstack([dfa.transitions, symbols]), dfa.accepting
        if root is not None:
            table = np.vstack([table, np.full_like(table[:1], DEAD)])
            table[:, -1] = DEAD
            table[root, -1], accepting = len(dfa), np.append(accepting, True)
        return lettered(table, dfa.initial, accepting, [*map(_text, dfa.class_ranges), *self.trees])


def _text(ranges: Ranges) -> Chars:
    """Return the characters of a class, without the symbols."""
    return Chars(characters(ranges, negated=False))


def rules_tree(rules: "lab_12.Rules") -> Tree:
    """Return the tree of a grammar's texts, in which each rule is a tree too.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> from labs.lab_12_pushdown.solution import Rules, read_gbnf
    >>> texts = characters_of(LazyDfa(rules_tree(Rules(read_gbnf('root ::= "[" root? "]"')))))
    >>> fullmatch(texts, "[[]]"), fullmatch(texts, "[[]")
    (True, False)
    """
    states: Any = rules.characters
    trees = [Rule(name) for name in states.names]
    calls = np.full((len(states.dfa), len(trees)), DEAD)
    for state, found in states.known_calls.items():
        for rule, after in found:
            calls[state, rule] = after
    rows = np.hstack([states.dfa.transitions, calls])
    letters = [*map(_text, states.dfa.class_ranges), *trees]
    owners = [states.rule_of(state) for state in range(len(rows))]
    for number, (rule, initial) in enumerate(zip(trees, states.initials, strict=True)):
        start, end = bisect_left(owners, number), bisect_right(owners, number)
        table = np.where(rows[start:end] == DEAD, DEAD, rows[start:end] - start)
        used = np.flatnonzero((table != DEAD).any(axis=0))
        accepting = states.dfa.accepting[start:end]
        rule.body = lettered(table[:, used], initial - start, accepting, [letters[each] for each in used])
    return trees[0]


class Answers(NamedTuple):
    """The answers to a request.

    Attributes:
        whole, calls: the trees of all, and of those without thinking that are not in the format.
        held: how much each free state of ``calls`` holds (``Joined``).
        n_free: how many free states ``whole`` has: these, and those that think.
        form: the tree of the answers in the format, if there may be any.
    """

    whole: Spelled
    calls: Spelled
    held: Sequence[int]
    n_free: int
    form: Tree | None


def tool_tree(
    row: Format, tools: Sequence[Tool], choice: Any, form: Tree | None = None, thinks: bool = False, **options: Any
) -> Answers:
    """Return the trees of the answers to a request with tools; they nest if a tool takes an object of any kind.

    Args:
        form: the tree of the answers without calls, beside which no text stands around calls; None for free text.
        thinks: whether an answer begins with a thinking block.
        row, tools, choice, options: of ``tool_automaton``.

    Raises:
        ValueError: if messages have headers, which would stand before thinking or a text in the format.

    >>> from labs.lab_11_tool_calls.given.formats import FORMATS
    >>> tools = Tool("timer", {"properties": {"minutes": {"type": "integer"}}}), Tool("note", {"type": "object"})
    >>> [LazyDfa(tool_tree(FORMATS["hermes"], [tool], "auto", spelled={}).whole).nests for tool in tools]
    [False, True]
    """
    if row.headers and (thinks or form is not None):
        raise ValueError(f"in {row.name} messages have headers: neither a format nor thinking can stand beside tools")
    symbols = _Symbols()
    joined = tool_automaton(row, with_all_keywords(tools, symbols), choice, alone=form is not None, **options)
    calls = symbols.spelled_out(joined.dfa, len(joined.held))
    first, root = joined, None
    if thinks:
        first = think_first(joined, spell(row.thinks[1], options["spelled"]), options["spelled"].values())
    if chosen_tools(tools, choice)[1]:
        form = None
    elif form is not None:
        symbols.trees.append(form)
        root = joined.dfa.initial
    n_free = len(first.held)
    return Answers(symbols.spelled_out(first.dfa, n_free, root), calls, joined.held, n_free, form)


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
        tree = self._answers.calls
        walk: Any = AnswerWalk(characters_of(LazyDfa(tree)), tree.dfa.initial, len(tree.dfa))
        return Joined(walk, self._answers.held)

    def form(self) -> States | None:
        """Return the automaton of the answers in the format."""
        return None if self._answers.form is None else characters_of(LazyDfa(self._answers.form))
