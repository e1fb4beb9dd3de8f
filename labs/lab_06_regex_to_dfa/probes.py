"""Fixed questions to each function of lab 06. Their answers distinguish one misconception from another.

Trees and automata are given as data, and automata that are returned are asked what they accept: how a student numbers
states does not matter.
"""

from collections.abc import Collection, Sequence
from itertools import product
from typing import Any

from labkit.automata.dfa import BYTES, DEAD, Dfa, Nfa
from labkit.automata.syntax import (
    LAST_CODE_POINT,
    Alternation,
    Chars,
    Concat,
    Node,
    Ranges,
    Repeat,
)
from labkit.checking.probing import Attempt, attempt

LAST = LAST_CODE_POINT
A, B = Chars(((97, 97),)), Chars(((98, 98),))
TEXTS = ["".join(chars) for length in range(6) for chars in product("ab", repeat=length)]


def _option(*parts: Node) -> Concat:
    return Concat(parts)


def _dfa(rows: Sequence[tuple[int, int]], accepting: Collection[int], initial: int = 0, symbols: int = LAST + 1) -> Dfa:
    """Return an automaton over a and b."""
    ends = [state in accepting for state in range(len(rows))]
    return Dfa([0, 97, 98, 99], [-1, 0, 1, -1], rows, initial, ends, symbols)


def _accepted(dfa: Dfa) -> list[object]:
    """Return the type and size of an automaton, its symbols, and the texts that it accepts."""
    found = []
    for text in TEXTS:
        state = dfa.initial
        for char in text:
            state = DEAD if state == DEAD else dfa.step(state, ord(char))
        found += [text] if state != DEAD and dfa.accepting[state] else []
    return [type(dfa).__name__, len(dfa), dfa.symbols, found]


def _reads(lab: Any, node: Node, then: Node | None = None) -> list[object]:
    """Return the texts that lead to the end from the state of a node, and how many states they met."""
    pairs: list[tuple[Node, int]] = [(Concat(()), 0)]

    def state(part: Node, target: int) -> int:
        if (part, target) not in pairs:
            pairs.append((part, target))
        if len(pairs) > 200:
            raise RuntimeError("too many states")
        return pairs.index((part, target))

    known: dict[int, tuple[list[tuple[Ranges, int]], list[int]]] = {0: ([], [])}

    def row(number: int) -> tuple[list[tuple[Ranges, int]], list[int]]:
        if number not in known:
            part, after = pairs[number]
            is_repeat = isinstance(part, Repeat)
            known[number] = ([], lab.unfold_repeat(part, after, state)) if is_repeat else lab.unfold(part, after, state)
        return known[number]

    def closed(states: Collection[int]) -> set[int]:
        found = set(states)
        while more := {target for number in found for target in row(number)[1]} - found:
            found |= more
        return found

    after = {"": closed([state(node, 0 if then is None else state(then, 0))])}
    for text in TEXTS[1:]:
        moves = [move for number in after[text[:-1]] for move in row(number)[0]]
        after[text] = closed({t for ranges, t in moves if any(a <= ord(text[-1]) <= b for a, b in ranges)})
    return [[text for text in TEXTS if 0 in after[text]], len(pairs)]


def probe_unfold(lab: Any) -> list[Attempt]:
    nodes: list[Node] = [
        A,
        Concat(()),
        Concat((A, B)),
        Alternation((_option(A), _option(B))),
        Alternation((_option(A), _option())),
        Alternation((_option(), _option(A, B), _option(B))),
        Concat((Alternation((_option(A, A), _option(B))), B)),
    ]
    two = Chars(((97, 97), (99, 99)))
    asked = [attempt(_reads, lab, node, then) for node in nodes for then in (None, B)]
    asked += [attempt(lab.unfold, Repeat(A, least, None), 3, lambda part, target: 7) for least in (0, 1)]
    return [*asked, attempt(lab.unfold, two, 3, lambda part, target: 7)]


def probe_unfold_repeat(lab: Any) -> list[Attempt]:
    counts = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 3), (1, 2), (2, 4), (0, None), (1, None), (2, None)]
    both = Alternation((_option(A, B),))
    questions: list[Node] = [Repeat(body, *pair) for pair in counts for body in (A, both)]
    questions.append(Concat((Repeat(A, 0, None), Repeat(B, 0, None))))
    return [attempt(_reads, lab, node, then) for node in questions for then in (None, B)]


def probe_epsilon_closure(lab: Any) -> list[Attempt]:
    rows = [[1, 2], [3], [3], [], [4], [0, 5]]
    nfa = Nfa([[(A.ranges, 5)] for _ in rows], rows)
    chain = Nfa([[] for _ in range(3000)], [*([state + 1] for state in range(2999)), []])
    return [*(attempt(lab.epsilon_closure, nfa, state) for state in range(6)), attempt(lab.epsilon_closure, chain, 0)]


def probe_step_subset(lab: Any) -> list[Attempt]:
    moves = {0: [(0b011, 3), (0b001, 1)], 1: [(0b010, 0)], 2: [(0b001, 0), (0b110, 1)], 3: []}
    subsets = [(0,), (1,), (2,), (0, 2), (1, 2), (0, 1, 2, 3), (3,), ()]

    def question(subset: Sequence[int]) -> list[object]:
        """Return, for each class, where the parts that hold it lead."""
        parts = lab.step_subset(subset, moves)
        return [[sorted(targets) for bits, targets in parts if bits >> place & 1] for place in range(4)]

    return [*(attempt(question, subset) for subset in subsets), attempt(lambda: len(lab.step_subset((2,), moves)))]


def probe_nfa_to_dfa(lab: Any) -> list[Attempt]:
    late: list[list[tuple[Ranges, int]]] = [
        [(((97, 98),), 0), (A.ranges, 1)],
        [(((97, 98),), 2)],
        [(((97, 98),), 3)],
        [],
    ]
    automata = [
        Nfa(late, [[] for _ in late], accepting=3),
        Nfa([[(A.ranges, 1)], [], [], [(B.ranges, 0)]], [[], [], [0, 3], []], initial=2, accepting=1),
        Nfa([[], [(A.ranges, 2)], []], [[1, 2], [], [1]], accepting=2),
        Nfa([[(A.ranges, 1), (B.ranges, 1)], []], [[], [0]], accepting=1),
        Nfa(),
        Nfa([[], []], [[], []], accepting=1),
    ]
    letters: list[list[tuple[Ranges, int]]] = [[(((97 + n, 97 + n),), n) for n in range(270)] for _ in range(270)]
    automata.append(Nfa(letters, [[] for _ in letters]))  # few sets, and more transitions than sets are allowed
    chain: list[list[tuple[Ranges, int]]] = [[(((97 + n, 97 + n),), min(n + 1, 2899))] for n in range(2900)]
    large = Nfa(chain, [[] for _ in chain])  # 2,900 states by as many classes are more than a table may have
    found = [attempt(lambda nfa: _accepted(lab.nfa_to_dfa(nfa)), nfa) for nfa in automata]
    return [*found, attempt(lambda nfa: len(lab.nfa_to_dfa(nfa)), large)]


AUTOMATA = [
    _dfa([(1, 2), (3, 4), (3, -1), (-1, -1), (4, 4), (3, 3)], {3, 5}),
    _dfa([(-1, -1), (2, 0), (-1, 2)], {0}, initial=1),
    _dfa([(1, -1), (2, -1), (3, -1), (0, -1)], {0, 2}),
    _dfa([(1, 0), (1, 2), (1, 0)], {2}),
    _dfa([(1, 2), (-1, -1), (-1, -1)], {1}),
    _dfa([(0, 1), (1, 1)], set()),
    _dfa([(0, 1), (1, -1)], {0, 1}),
    _dfa([(1, 2), (3, 4), (4, 3), (5, -1), (-1, 5), (-1, -1)], {5}),
]


def probe_equal_states(lab: Any) -> list[Attempt]:
    live = [{0, 1, 2, 3}, {0, 1}, {0, 1, 2, 3}, {0, 1, 2}, {0, 1}, set(), {0, 1}, {0, 1, 2, 3, 4, 5}]
    ring = _dfa([((state + 1) % 12, -1) for state in range(12)], {0, 4})
    twice = _dfa([(2, -1), (2, 1), (0, 4), (2, -1), (4, 3)], {3, 4}, initial=3)
    cuts_itself = _dfa([(0, 3), (-1, 2), (1, -1), (1, 2)], {0, 1, 2, 3})
    pairs = [*zip(AUTOMATA, live, strict=True), (ring, set(range(12))), (twice, {0, 2, 3, 4})]
    pairs.append((cuts_itself, {0, 1, 2, 3}))
    pairs.append((ring, list(range(12))))  # type: ignore[arg-type]
    return [attempt(lambda dfa, states: sorted(map(sorted, lab.equal_states(dfa, states))), *pair) for pair in pairs]


def probe_minimize_dfa(lab: Any) -> list[Attempt]:
    def question(dfa: Dfa) -> list[object]:
        """Return what the minimal automaton accepts, its rows, and its classes."""
        small = lab.minimize_dfa(dfa)
        return [*_accepted(small), small.initial, small.transitions.tolist(), small.class_ranges]

    low = Dfa([0, 98], [0, -1], [[1], [1]], 0, [True, True], symbols=BYTES)
    return [attempt(question, dfa) for dfa in [*AUTOMATA, low]]
