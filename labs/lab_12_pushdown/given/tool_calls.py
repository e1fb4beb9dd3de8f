"""Calls of tools whose arguments nest without end: lab 11's automaton of an answer, with calls of rules in it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

from labkit.automata.dfa import DEAD, Dfa
from labkit.automata.grammar import Grammar, call, called_rules
from labkit.errors import UnsupportedSchema
from labs.lab_08_json_schema.given.automata.operations import difference
from labs.lab_08_json_schema.given.reading.flat_schema import Child
from labs.lab_11_tool_calls.given.formats import Format
from labs.lab_11_tool_calls.given.patterns import containing
from labs.lab_11_tool_calls.given.tools import Tool
from labs.lab_11_tool_calls.solution import Joined, ToolGuide, tool_automaton
from labs.lab_12_pushdown.given.network import calls_of
from labs.lab_12_pushdown.given.schemas.building.rules import Rules as GrowingRules
from labs.lab_12_pushdown.given.schemas.building.rules import renumbered
from labs.lab_12_pushdown.given.schemas.compiler import place_grammar
from labs.lab_12_pushdown.given.stacks import Item, bottom_frame
from labs.lab_12_pushdown.solution import Rules, call_closure, step


def tool_grammar(
    row: Format, tools: Sequence[Tool], choice: Any, *, parallel: bool, spelled: Mapping[str, str]
) -> tuple[Joined, Grammar]:
    """Return the automaton of the answers to a request with tools, and the grammar of which it is the root.

    Args: see lab 11's ``tool_automaton``.

    >>> from labs.lab_11_tool_calls.given.formats import FORMATS
    >>> tools = [Tool("keep", {"type": "object"})]
    >>> joined, grammar = tool_grammar(FORMATS["hermes"], tools, "auto", parallel=True, spelled={})
    >>> len(grammar), len(grammar.rules[0]) == len(joined.dfa)
    (2, True)
    """
    rules, called = GrowingRules(), set[int]()

    @cache
    def included(parameters: str, child: str, stop: str | None) -> Dfa:
        grammar = place_grammar(json.loads(parameters), tuple(map(tuple, json.loads(child))))
        found = rules.include(grammar if stop is None else _left_out(grammar, stop))
        called.update(called_rules(found))
        return found

    def compiler(parameters: dict[str, Any], child: Child, stop: str | None) -> Dfa:
        return included(json.dumps(parameters), json.dumps(child), stop)

    some = [replace(tool, compiler=compiler) for tool in tools]
    joined = tool_automaton(row, some, choice, parallel=parallel, spelled=spelled)
    dfa = _without_free_calls(joined, called)
    return Joined(dfa, joined.held), rules.grammar(dfa)


def _without_free_calls(joined: Joined, called: set[int]) -> Dfa:
    """Return the automaton of an answer in which free text, which reads any character, reads no calls."""
    dfa = renumbered(joined.dfa, {rule: rule for rule in called})
    table = dfa.transitions.copy()
    table[: len(joined.held), [dfa.class_of(ord(call(rule))) for rule in called]] = DEAD
    return Dfa(dfa.bounds, dfa.classes, table, dfa.initial, dfa.accepting)


def _left_out(grammar: Grammar, stop: str) -> Grammar:
    """Return a grammar of the same texts, but for those that contain ``stop``.

    Raises:
        UnsupportedSchema: if ``stop`` could begin in one rule and end in another.
    """
    bodies = [difference(body, containing(stop)) for body in grammar.rules]
    for body in bodies:
        calls = calls_of(body, len(bodies))
        starts = {body.initial, *(target for row in calls.values() for _, target in row)}
        for start, suffix in product(starts, [stop[place:] for place in range(1, len(stop))]):
            state, read = start, 0
            while state != DEAD and read < len(suffix):
                state, read = body.step(state, ord(suffix[read])), read + 1
                if state != DEAD and (read == len(suffix) or body.accepting[state] or state in calls):
                    raise UnsupportedSchema(f"a text so long that it might hold {stop!r} across two rules", "")
    # Rules that have no text any more are dropped.
    left = GrowingRules()
    return left.grammar(left.include(Grammar(tuple(bodies), grammar.names)))


class NestedToolGuide(ToolGuide):
    """A tool guide through a grammar: free text is where no rule is called.

    Args:
        guide: of the grammar, with its ``rules``.
        joined: its root, the automaton of the answer.
    """

    def __init__(self, guide: Any, joined: Joined) -> None:
        super().__init__(guide, len(joined.held), len(guide.rules.automaton.dfa))
        self._rules, self._root = guide.rules, joined

    def is_free(self, state: Any) -> bool:
        """Return whether a state is one of free text, not one inside a call."""
        kernel = getattr(state, "kernel", ())
        return bool(kernel) and all(number % self.size < self.n_free for number, _ in kernel)

    def answer(self) -> Joined:
        """Return what one answer is read with."""
        walk: Any = AnswerWalk(self._rules, len(self._root.dfa))
        return Joined(walk, self._root.held)


class AnswerWalk:
    """One answer, read character by character, in the place of lab 11's automaton: what ``split_answer`` steps through.

    It knows where it is, so it reads one answer only, and only forwards.

    Args:
        rules: of ``tool_grammar``'s grammar.
        size: the states of its root.

    >>> from labs.lab_12_pushdown.given.gbnf import read_gbnf
    >>> rules = Rules(read_gbnf('root ::= ([a-z] | "(" nested ")")*  nested ::= "[" nested "]" | "x"'))
    >>> walk = AnswerWalk(rules, size=3)
    >>> states = [walk.initial]
    >>> for char in "a([x])]":
    ...     states.append(walk.step(states[-1], ord(char)))
    >>> states
    [0, 0, 1, 3, 3, 2, 0, -1]
    """

    def __init__(self, rules: Rules, size: int) -> None:
        self._rules, self._size = rules, size
        self.initial = rules.initial[0]
        self._kernel: frozenset[Item] = frozenset([(self.initial, bottom_frame())])

    def step(self, state: int, code: int) -> int:
        """Return the root's state after one more character; its size inside a rule that it calls; -1 where dead.

        Args:
            state: the state so far, which the walk knows.
        """
        for byte in chr(code).encode():
            self._kernel = step(self._rules, call_closure(self._rules, self._kernel), byte)
        roots = [number for number, _ in self._kernel if 0 <= number < self._size]
        return min(roots) if roots else self._size if self._kernel else DEAD
