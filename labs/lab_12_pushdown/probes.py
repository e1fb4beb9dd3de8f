"""Fixed questions to each function of lab 12. The answers distinguish one misconception from another."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from labkit.automata.byte_tries import ByteTrie
from labkit.automata.dfa import Dfa
from labkit.automata.grammar import Grammar, call
from labkit.checking.probing import attempt

END = -2
S, A, B = (call(n) for n in range(3))


def _rule(rows: list[dict[str, int]], accepting: set[int]) -> Dfa:
    symbols = sorted({symbol for row in rows for symbol in row})
    bounds, classes = [0], [-1]
    for number, symbol in enumerate(symbols):
        if bounds[-1] == ord(symbol):
            classes[-1] = number
        else:
            bounds.append(ord(symbol))
            classes.append(number)
        bounds.append(ord(symbol) + 1)
        classes.append(-1)
    table = np.array([[row.get(symbol, -1) for symbol in symbols] for row in rows]).reshape(len(rows), -1)
    return Dfa(bounds, classes, table, 0, [state in accepting for state in range(len(rows))])


GRAMMARS = (
    Grammar((_rule([{"[": 1}, {S: 2, "]": 3}, {"]": 3}, {}], {3}),), ("nested",)),
    Grammar((_rule([{"a": 1, "b": 2}, {S: 2}, {}], {2}),), ("right",)),
    Grammar(
        (
            _rule([{A: 1, B: 1}, {}], {1}),
            _rule([{"a": 1, "c": 3}, {S: 2}, {"x": 3}, {}], {3}),
            _rule([{"a": 1}, {S: 2}, {"y": 3}, {}], {3}),
        ),
        ("either", "x", "y"),
    ),
    Grammar(
        (
            _rule([{A: 1, "b": 2}, {B: 2, "c": 2}, {}], {2}),
            _rule([{"a": 1}, {}], {0, 1}),
            _rule([{A: 1}, {A: 2}, {}], {2}),
        ),
        ("root", "one", "two"),
    ),
    Grammar((_rule([{"a": 1}, {S: 2, "b": 3}, {"b": 3}, {}], {1, 2, 3}),), ("dangling",)),
)
KERNELS: tuple[list[tuple[int, ...]], ...] = (
    [(0, END)],
    [(1, END)],
    [(1, 2, END), (2, END)],
    [(1, 2, 2, END), (1, 1, END)],
    [(2, 2, 2, END), (3, 2, 3, END), (3, END)],
)


def probe_next_stack(lab: Any) -> list[object]:
    found: list[object] = []
    for grammar in (*GRAMMARS[:2], GRAMMARS[-1]):
        network = lab.Network(grammar)
        for stack in ((0,), (1,), (2, 1), (2, 2, 3), (3,), (3, 3), (), (2, 2), (2, 0), (2, 3, 3, 3)):
            if max(stack, default=0) >= len(grammar.rules[0]):
                continue
            found += [attempt(lab.next_stack, network, stack, ord(byte)) for byte in "[]abx"]
    pair = lab.Network(Grammar((_rule([{"[": 1, "x": 4}, {S: 2}, {S: 3, "]": 4}, {"]": 4}, {}], {4}),), ("pair",)))
    found.append(attempt(lab.next_stack, pair, (2, 4), ord("x")))
    return [*found, attempt(lab.next_stack, lab.Network(GRAMMARS[-1]), (2, *[3] * 1200), ord("b"))]


def _stacks(lab: Any, function: Callable[..., Any]) -> list[object]:
    found: list[object] = []
    for grammar in GRAMMARS:
        rules = lab.Rules(grammar)
        for stacks in KERNELS:
            states = {state for stack in stacks for state in stack}
            if max(states) < sum(map(len, grammar.rules)):
                found.append(attempt(function, rules, lab.items_of(stacks)))
    return found


def probe_call_closure(lab: Any) -> list[object]:
    def asked(rules: Any, items: Any) -> object:
        found = list(lab.call_closure(rules, items))
        return len(found), lab.stacks_of(found), {*found} == {*lab.call_closure(rules, items)}

    return _stacks(lab, asked)


def probe_step(lab: Any) -> list[object]:
    def asked(rules: Any, items: Any) -> object:
        after, again = ([lab.step(rules, items, ord(byte)) for byte in "[]abcxy"] for _ in range(2))
        return [(len(list(each)), lab.stacks_of(each)) for each in after], after == again

    return _stacks(lab, asked)


def _trie(*tokens: bytes | None) -> tuple[ByteTrie, list[bytes]]:
    prefixes = sorted({t[:n] for t in tokens if t for n in range(len(t) + 1)} | {b""}, key=lambda p: (len(p), p))
    number = {prefix: at for at, prefix in enumerate(prefixes)}
    parent = [number[p[:-1]] if p else -1 for p in prefixes]
    byte = [p[-1] if p else 0 for p in prefixes]
    at = [number[t] if t else -1 for t in tokens]
    return ByteTrie(np.array(parent), np.array(byte), np.array(at)), prefixes


TOKENS = (b"a", b"ab", b"abc", b"b", b"ba", b"cab", None, b"abab", b"ab")


def probe_make_table(lab: Any) -> list[object]:
    tokens = [*TOKENS, b"abcabc", b"bababa"]
    trie, prefixes = _trie(*tokens)
    found: list[object] = []
    for seed in range(9):
        rnd = random.Random(seed)
        states = [None, *(lab.State(lab.items_of([(n, END), *([(END,)] if n else [])])) for n in range(2))]
        numbers = np.array([2 - seed % 2, *(rnd.choice([0, 0, 1, 2, 2]) for _ in prefixes[1:]), 0])
        follow = np.arange(256) != ord("abx"[seed % 3])

        def asked(numbers: Any = numbers, states: Any = states, follow: Any = follow) -> object:
            table = lab.make_table(trie, tokens, numbers, states, follow)
            rests = sorted((rest, list(ids)) for rest, ids in dict(table.rests).items())
            kinds = [str(table.tokens.dtype), str(table.kinds.dtype), len(table.states)]
            return [
                table.tokens.tolist(),
                [kind if isinstance(kind, int) else None for kind in table.kinds.tolist()],
                rests,
                kinds,
            ]

        found.append(attempt(asked))
    return found


def probe_fewest_tokens(lab: Any) -> list[object]:
    found: list[object] = []
    for ends, pairs, calls in (
        ({3}, [(0, 1), (1, 2), (2, 3)], []),
        ({3}, [(0, 1), (2, 3)], [(1, 2, 3)]),
        ({3}, [(0, 1), (2, 3)], [(1, 2, 2), (0, 0, 2)]),
        (set(), [(0, 1)], [(1, 0, 0)]),
        ({1, 3}, [(0, 1), (0, 3), (2, 0)], [(2, 3, 1)]),
        ({0}, [(n + 1, n) for n in range(8)], [(9, 8, 7)]),
        ({3}, [(0, 3), (0, 1), (1, 3)], []),
        ({3}, [(1, 3), (2, 1), (5, 0)], [(0, 1, 3), (0, 2, 3), (4, 2, 3), (4, 1, 3)]),
    ):
        sources, targets = np.array(pairs, np.intp).reshape(-1, 2).T
        given = (ends, sources, targets, np.array(calls, np.intp).reshape(-1, 3), 10)
        found.append(attempt(lambda given=given: [float(each) for each in lab.fewest_tokens(*given)]))
    return found


def probe_allowed_tokens(lab: Any) -> list[object]:
    def table(tokens: list[int], costs: list[float], rests: dict[bytes, list[int]]) -> Any:
        numbers = np.array(tokens, np.int32)
        return lab.Table(numbers, np.zeros_like(numbers), rests, [], costs=np.array(costs, np.float32))

    one = table([1, 2], [0, 3], {b"]": [5, 6], b",": [6, 7]})
    other = table([2, 3], [1, np.inf], {b"]": [0]})
    rows: tuple[list[Any], ...] = (
        [],
        [(one, 0.0, {})],
        [(one, 2.0, {b"]": 4.0, b",": 1.0}), (other, 1.0, {b"]": 9.0})],
        [(other, 1.0, {}), (one, 0.0, {b",": 0.0})],
        [(one, 0.0, {b"]": 1.0, b",": 4.0})],
    )
    most = (-1, 0, 1, 2, 3, 4, 5, 1e15, np.inf)
    return [
        attempt(lambda each=each, m=m: np.flatnonzero(lab.allowed_tokens(9, each, m)).tolist())
        for each in rows
        for m in most
    ]
