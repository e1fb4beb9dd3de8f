"""Rules before there is any text: their order, left recursion, which may be empty; and callers of what ends."""

from collections import Counter

import pytest

from labkit.errors import InvalidGrammar
from labs.lab_12_pushdown.given.gbnf import read_gbnf
from labs.lab_12_pushdown.given.network import call_order
from labs.lab_12_pushdown.given.stacks import END, frame_of, items_of
from labs.lab_12_pushdown.solution import Rules, nullable_rules, pop_closure


def test_a_long_chain_is_no_recursion():
    """Python's own stack holds about 1,000 calls."""
    names = [str(rule) for rule in range(5000)]
    assert call_order([*([rule + 1] for rule in range(4999)), []], names) == [*range(5000)]
    with pytest.raises(InvalidGrammar, match="left recursion: 0, 1, 2, 3, 4, 5"):
        call_order([[(rule + 1) % 5000] for rule in range(5000)], names)


@pytest.mark.parametrize(
    ("grammar", "circle"),
    [
        ('root ::= root? "a"', "root, root"),
        ('root ::= n root "a" | "b"  n ::= "n" n | ""', "root, root"),
        ('root ::= x "b"  x ::= root | "a"', "root, x, root"),
        ('root ::= "a" x  x ::= y "b" | "c"  y ::= x "d" | "e"', "x, y, x"),
        ('root ::= space root "a" | "b"  space ::= " "?', "root, root"),
        ('root ::= space x  space ::= empty empty  empty ::= " "?  x ::= root "a" | "b"', "root, x, root"),
        ('root ::= x  x ::= y "a" | "a"  y ::= z "a" | "b"  z ::= x "c" | "c"', "x, y, z, x"),
    ],
)
def test_left_recursion_is_refused_by_name(grammar, circle):
    """The message names the rules on the circle, in the order of their calls, and no rule that leads to it."""
    with pytest.raises(InvalidGrammar, match=f"^left recursion: {circle}$"):
        Rules(read_gbnf(grammar))


@pytest.mark.parametrize(
    ("initial", "calls", "ends", "expected"),
    [
        *[([0], {}, {0}, {0}), ([0], {}, {1}, set()), ([1], {}, {0}, set()), ([0], {0: [(0, 1)]}, {1}, set())],
        *[([0, 2], {0: [(1, 1)]}, {1, 2}, {0, 1}), ([0, 2], {0: [(1, 1)]}, {1}, set())],
        *[([4, 2, 0], {4: [(1, 5)], 2: [(2, 3)]}, {5, 3, 0}, {0, 1, 2})],
        *[([*range(5)], {0: [(3, 9)], 3: [(1, 9)], 1: [(4, 9)], 4: [(2, 9)]}, {2, 9}, {0, 1, 2, 3, 4})],
    ],
)
def test_rules_that_may_be_empty(initial, calls, ends, expected):
    """A rule may be empty if it can end where it starts, or get to an end by calling only rules that may be empty."""
    assert nullable_rules(initial, calls, ends) == expected


@pytest.mark.parametrize(("callers", "levels", "more"), [((0, 2, 3), 60, {0: 60, 2: 60}), ((3,), 10_000, {})], ids=str)
def test_a_frame_is_left_once(callers, levels, more):
    """Sixty levels of three callers are only 60 frames, and each is left once. 10,000 levels need no recursion."""
    rules = Rules(read_gbnf('root ::= "a" root? "b"?'))  # it may end in states 1, 2 and 3, and not in 0
    frame = frame_of(items_of([(3, END)]))
    for _ in range(levels):
        frame = frame_of([(state, frame) for state in callers])
    found = Counter(state for state, _ in pop_closure(rules, {(3, frame)}))
    assert found == {3: levels + 2, END: 1} | more
