"""The tokens that wait for the stack: ``rests_after`` against stacks written out, one tuple each."""

import random

import pytest

from labkit.automata.dfa import Dfa
from labkit.automata.grammar import Grammar
from labs.lab_12_pushdown.given.guide import Fates
from labs.lab_12_pushdown.given.stacks import END, frame_of, items_of, stacks_of
from labs.lab_12_pushdown.solution import Rules, rests_after

ENDS_AT_0 = Rules(
    Grammar((Dfa([0, 120, 121], [-1, 0, -1], [[4]] * 4 + [[-1]], 0, [True, *[False] * 3, True]),), ("r",))
)
"""One rule of five states over x: it may end in state 0 at once. What each state reads is given by a table."""


def fates_of(table):
    """Return the fates of a table: a state reads the prefixes of its texts.

    Args:
        table: for each state its texts, and after which texts its rule may end. State 1 after ``]`` is written "1:]".
    """

    def fates(state, rests):
        texts, ends = table[state]
        read = {rest: f"{state}:{rest.decode()}" for rest in rests if any(text.startswith(rest) for text in texts)}
        shorter = {}
        for rest in sorted(rests):
            for n in range(1, len(rest)):
                if rest[:n] in ends:
                    shorter.setdefault(rest[n:], []).append(rest)
        return Fates(read, shorter)

    return fates


def rests_on(stack, rest, table):
    """Yield the state after a rest on one stack written out, and the stack below it."""
    state, *below = stack
    if state == END:
        return
    texts, ends = table[state]
    if any(text.startswith(rest) for text in texts):
        yield f"{state}:{rest.decode()}", tuple(below)
    for n in range(0 if state == 0 else 1, len(rest)):
        if n == 0 or rest[:n] in ends:
            yield from rests_on(below, rest[n:], table)


@pytest.mark.parametrize("seed", range(30))
def test_every_reader_of_every_rest(seed):
    """A caller may read a rest and end within it as well, may end at once, or share the rest with other callers."""
    rnd = random.Random(seed)
    words = [b"a", b"b", b"aa", b"ab", b"ba", b"bb", b"aab", b"aba", b"bab", b"abb"]
    table = {state: (rnd.sample(words, 2), rnd.sample(words[:6], 3)) for state in range(4)}
    stacks = {(*(rnd.randrange(4) for _ in range(rnd.randint(0, 3))), END) for _ in range(5)}
    rests = rnd.sample(words, 6)
    expected = {rest: sorted({place for stack in stacks for place in rests_on(stack, rest, table)}) for rest in rests}
    got = rests_after(ENDS_AT_0, frame_of(items_of(stacks)), frozenset(rests), fates_of(table))
    found = {
        rest: sorted({(state, stack) for state, below in places for stack in stacks_of(below.returns)})
        for rest, places in got.items()
    }
    assert found == {rest: places for rest, places in expected.items() if places}
    assert len({id(places) for places in got.values()}) == len(got), "each rest has a list of its own"
