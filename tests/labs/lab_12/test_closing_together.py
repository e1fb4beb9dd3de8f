"""A token may end several rules: budgets count it once, and never promise an end that doesn't come."""

import random

import numpy as np
import pytest

from labkit.vocabulary import Vocabulary
from mask_engine import FINISHED, compile_guide

GRAMMARS = {
    'root ::= "[" root? "]"': "[]",
    'root ::= "(" root ")" | [ab]{1,3} | "[" root "," root "]"': "()[],ab",
    'root ::= object\nobject ::= "{" pair ("," pair)* "}"\npair ::= "a:" (object | "1")': "{}a:1,",
    'root ::= one | two\none ::= "a" one? "b"\ntwo ::= "a" two? "bc"': "abc",
    'root ::= "é" root "€" | "<" root ">" | ""': "é€<>",
}


def ids_of(mask):
    return np.unpackbits(mask.view(np.uint8), bitorder="little").nonzero()[0].tolist()


def fewest(guide, state, most, known):
    """Return the fewest tokens to EOS, itself included, if they are no more than so many; by trying each."""
    if state == FINISHED or not most:
        return 0 if state == FINISHED else 99
    if known.get(state, (0,))[0] < most:
        after = [fewest(guide, guide.advance(state, each), most - 1, known) for each in ids_of(guide.mask(state))]
        known[state] = most, 1 + min(after, default=99)
    return known[state][1]


@pytest.mark.parametrize("grammar", GRAMMARS)
@pytest.mark.parametrize("spelled", [True, False])
def test_budgets_where_a_token_ends_several_rules(grammar, spelled):
    """What's allowed is what fits, to the token; then a text always ends in time."""
    rng, wrong, missing, right = random.Random(grammar), 0, 0, 0
    for _ in range(2):
        chars = GRAMMARS[grammar]
        longer = ["".join(rng.choices(chars, k=rng.randint(2, 3))) for _ in range(8)] + [chars[-1] * 2]
        tokens = [text.encode() for text in dict.fromkeys([*(chars if spelled else chars[1:]), *longer])]
        guide = compile_guide(Vocabulary([*tokens, b"</s>"], eos_id=len(tokens)), grammar=grammar)
        known = {}
        for _ in range(3):
            state, left = guide.initial, 6
            while state != FINISHED and ids_of(guide.mask(state)) and left:
                for remaining in range(1, 7):
                    after = {t: fewest(guide, guide.advance(state, t), 5, known) for t in ids_of(guide.mask(state))}
                    exact = {t for t, needed in after.items() if needed < remaining}
                    mine = {*ids_of(guide.mask(state, remaining))}
                    wrong, missing, right = wrong + len(mine - exact), missing + len(exact - mine), right + len(exact)
                state, left = guide.advance(state, rng.choice(ids_of(guide.mask(state)))), left - 1
        for _ in range(10):
            state, left = guide.initial, 8
            while state != FINISHED and (allowed := ids_of(guide.mask(state, left))):
                state, left = guide.advance(state, rng.choice(allowed)), left - 1
            assert state in (FINISHED, guide.initial)
    assert (wrong, missing) == (0, 0) and (right or not spelled)
