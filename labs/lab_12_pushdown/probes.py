"""Fixed questions to each function of lab 12. The answers distinguish one misconception from another.

There are few of them, and each is about one mistake, so that it's recognised however it was written.
"""

from typing import Any

import numpy as np

from labkit.automata.byte_tries import ByteTrie
from labkit.automata.grammar import Grammar, call
from labkit.checking.probing import attempt
from labkit.oracles.automata import dfa_by_character as rule_of

END = -2
S, A, B = (call(n) for n in range(3))

NESTED = Grammar((rule_of([{"[": 1}, {S: 3, "]": 2}, {}, {"]": 2}], {2}),), ("root",))
RIGHT = Grammar((rule_of([{"a": 1, "b": 2}, {S: 2}, {}], {2}),), ("root",))
DANGLING = Grammar((rule_of([{"a": 1}, {S: 2, "b": 3}, {"b": 3}, {}], {1, 2, 3}),), ("root",))
INNER = Grammar((rule_of([{"a": 1}, {A: 2}, {"b": 3}, {"c": 4}, {}], {4}), rule_of([{"b": 1}] * 2, {1})), ("root", "x"))
CHAIN = Grammar((rule_of([{A: 1}, {}], {1}), rule_of([{B: 1}, {}], {1}), rule_of([{"a": 1}, {}], {1})), ("r", "x", "y"))
MAYBE = Grammar((rule_of([{"a": 1}, {A: 2}, {"b": 3}, {}], {3}), rule_of([{"c": 1}, {}], {0, 1})), ("root", "maybe"))
_ROOT, _ONE = rule_of([{A: 1, B: 2}, {"b": 2, "d": 1}, {}], {2}), rule_of([{"a": 1}, {}], {1})
DOWN = Grammar((_ROOT, rule_of([{B: 1}, {"c": 2}, {}], {2}), _ONE), ("root", "x", "y"))
"""The root calls both rules, and the first of them calls the second."""
UP = Grammar((_ROOT, _ONE, rule_of([{A: 1}, {"c": 2}, {}], {2})), ("root", "x", "y"))
"""Here the second calls the first."""


def probe_next_stack(lab: Any) -> list[object]:
    return [
        attempt(lab.next_stack, lab.Network(grammar), stack, ord(byte))
        for grammar, stack, byte in (
            *((NESTED, (3, 1), "]"), (NESTED, (3, 2), "]"), (NESTED, (3, 0), "]"), (NESTED, (1,), "[")),
            *((NESTED, (3, 2, 2), "]"), (INNER, (2, 6), "b")),
        )
    ]


def probe_call_closure(lab: Any) -> list[object]:
    def asked(grammar: Grammar, *stacks: tuple[int, ...]) -> object:
        rules, items = lab.Rules(grammar), lab.items_of(stacks)
        found = list(lab.call_closure(rules, items))
        return len(found), lab.stacks_of(found), {*found} == {*lab.call_closure(rules, items)}

    questions: tuple[tuple[Any, ...], ...] = (
        *((NESTED, (1, END)), (RIGHT, (1, END)), (DANGLING, (1, END)), (MAYBE, (1, END)), (DOWN, (0, END))),
        *((UP, (0, END)), (CHAIN, (0, END))),
    )
    return [attempt(asked, *each) for each in questions]


def probe_step(lab: Any) -> list[object]:
    def asked(grammar: Grammar, byte: str, *stacks: tuple[int, ...]) -> object:
        found = list(lab.step(lab.Rules(grammar), lab.items_of(stacks), ord(byte)))
        return len(found), lab.stacks_of(found)

    questions: tuple[tuple[Any, ...], ...] = (
        *((NESTED, "]", (1, 3, END)), (NESTED, "]", (3, END)), (DANGLING, "a", (0, 2, 2, END))),
        *((INNER, "b", (6, 2, END)), (DANGLING, "b", (1, 2, END), (1, 2, 2, END))),
    )
    return [attempt(asked, *each) for each in questions]


ONCE = {"": {"1": "1"}, "1": {",": "1,", "]": "1,"}, "1,": {"2": "1,2"}, "1,2": {}}
"""A rule: a `1`, and perhaps `,2` after it, by the states' texts. It may end after a digit."""
DIGITS = {"1": {"1": "1"}}
"""The rest of a number."""
LAST = {"": {"2": "2"}, "2": {}}
"""A single digit: after it, there's nothing left to read."""


def probe_make_table(lab: Any) -> list[object]:
    def asked(rule: dict[str, dict[str, str]], follow: str, *tokens: str) -> object:
        prefixes = sorted({token[:n] for token in tokens for n in range(len(token) + 1)}, key=lambda p: (len(p), p))
        number = {prefix: at for at, prefix in enumerate(prefixes)}
        names: list[str | None] = [*rule]
        after, states = [names[0]], [None]
        for prefix in prefixes[1:]:
            before = after[number[prefix[:-1]]]
            after.append(None if before is None else rule[before].get(prefix[-1]))
        for n, (name, row) in enumerate(rule.items()):
            states.append(lab.State(lab.items_of([(n, END)] * bool(row) + [(END,)] * (name[-1:] in ("1", "2")))))
        parent = [number[prefix[:-1]] if prefix else -1 for prefix in prefixes]
        byte = [ord(prefix[-1:] or "\0") for prefix in prefixes]
        trie = ByteTrie(*map(np.array, (parent, byte, [number[token] for token in tokens])))
        numbers = np.array([*(0 if name is None else 1 + names.index(name) for name in after), 0])
        follows = np.isin(np.arange(256), [ord(char) for char in follow])
        table = lab.make_table(trie, [token.encode() for token in tokens], numbers, states, follows)
        rests = sorted((rest, sorted(map(int, ids))) for rest, ids in table.rests.items() if ids)
        return [int(token) for token in table.tokens], rests

    return [
        attempt(asked, ONCE, ",", "1", "1,2,", "1,2x,", "1,3", "2"),
        attempt(asked, DIGITS, "1,", "1", "11", "1,", "11,"),
        attempt(asked, LAST, ",", "2"),
    ]


def probe_fewest_tokens(lab: Any) -> list[object]:
    found: list[object] = []
    for ends, pairs, calls in (
        ({3}, [(0, 1), (2, 3)], [(1, 2, 3)]),
        ({3}, [(0, 1), (2, 3)], [(1, 2, 2)]),
        (set(), [(0, 1)], [(1, 0, 0)]),
        ({5}, [(n, n + 1) for n in range(5)], [(0, 2, 2)]),
        ({2}, [(0, 2), (0, 1), (1, 2)], []),
    ):
        sources, targets = np.array(pairs, np.intp).reshape(-1, 2).T
        given = (ends, sources, targets, np.array(calls, np.intp).reshape(-1, 3), 6)
        found.append(attempt(lambda given=given: [float(each) for each in lab.fewest_tokens(*given)]))
    return found


def probe_allowed_tokens(lab: Any) -> list[object]:
    def table(tokens: list[int], costs: list[float], rests: dict[bytes, list[int]]) -> Any:
        numbers = np.array(tokens, np.int32)
        return lab.Table(numbers, np.zeros_like(numbers), rests, [], costs=np.array(costs, np.float32))

    def asked(most: float, *rows: tuple[Any, ...]) -> object:
        items = [(table(*row[:3]), *row[3:]) for row in rows]
        return [np.flatnonzero(lab.allowed_tokens(9, items, most)).tolist() for _ in range(2)]

    questions: tuple[tuple[Any, ...], ...] = (
        (3, ([1, 2], [0, 3], {}, 1.0, {})),
        (3, ([1, 2], [1, 2], {}, 1.0, {})),
        (3, ([1, 2], [0, 9], {}, 0.0, {}), ([2, 3], [0, 0], {}, 0.0, {})),
        (3, ([1, 2], [0, 0], {}, 0.0, {}), ([2, 3], [9, 0], {}, 0.0, {})),
        (np.inf, ([], [], {b"]": [5], b",": [6]}, 0.0, {b"]": 4.0})),
        (3, ([], [], {b"]": [5], b",": [6]}, 1.0, {b"]": 2.5})),
        (3, ([], [], {b"]": [5]}, 0.0, {b"]": 4.0})),
    )
    return [attempt(asked, *each) for each in questions]
