"""The automata that are made while they are walked have the language of ``compile_dfa``, and meet the same limits."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.automata.dfa import DEAD
from labkit.automata.syntax import Alternation, Chars, Concat, Repeat
from labkit.checking.properties import PROPERTY
from labkit.errors import LimitExceeded
from labkit.oracles.automata import living
from labs.lab_06_regex_to_dfa.given import subsets
from labs.lab_06_regex_to_dfa.given.words import literals
from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch, minimize_dfa, nfa_to_dfa, parse_regex, parse_tree
from labs.lab_08_json_schema.solution import equivalent
from mask_engine.patterns.lazy import LazyDfa, Spelled
from tests.walks import matched, words


def lazy(pattern):
    return LazyDfa(parse_tree(pattern))


def accepts(states, text):
    """Walk a text, making what it meets and no more."""
    state = after(states, states.initial, text)
    return state != DEAD and states.accepts(state)


SHORT = ["", "a", "(a*)*", "(a?b?)*", "(a|b)*a(a|b){2}", "(a{2,3}b?){1,2}", "(a|ab)(c|bcd)?", "[^a]{0,2}", "a{0}", "()"]


TREES = st.recursive(
    st.sampled_from("abc").map(lambda char: Chars(((ord(char), ord(char)),)))
    | st.just(Concat(()))
    | st.just(Chars(())),
    lambda below: (
        st.lists(below, max_size=3).map(lambda parts: Concat(tuple(parts)))
        | st.lists(below, min_size=1, max_size=3).map(lambda options: Alternation(tuple(options)))
        | st.tuples(below, st.integers(0, 2), st.integers(0, 2) | st.none()).map(
            lambda each: Repeat(each[0], each[1], None if each[2] is None else each[1] + each[2])
        )
    ),
    max_leaves=8,
)


def written(tree):
    """Return a tree as a pattern of ``re``."""
    match tree:
        case Chars(ranges):
            return chr(ranges[0][0]) if ranges else "(?!)"
        case Concat(parts):
            return "".join(f"(?:{written(part)})" for part in parts)
        case Alternation(options):
            return "|".join(f"(?:{written(option)})" for option in options)
        case Repeat(body, least, most):
            return f"(?:{written(body)}){{{least},{'' if most is None else most}}}"


@settings(PROPERTY)
@given(TREES)
def test_trees_with_parts_that_match_nothing(tree):
    """From every state that is met an accepting one can be reached."""
    states, pattern = LazyDfa(tree), re.compile(written(tree))
    over = words("abc", 4)
    expected = {text for text in over if pattern.fullmatch(text)}
    whole = nfa_to_dfa(states)
    assert matched(whole, over) == expected
    assert states.is_empty == (not whole.accepting.any())
    if not states.is_empty:
        assert len(minimize_dfa(whole)) <= len(whole)
        assert living(whole) == set(range(len(whole)))


# Only what is met is made -----------------------------------------------------------------------------


def test_a_walk_makes_the_states_that_it_meets():
    """Two million states in full, which meet a limit."""
    states = lazy("(a|b)*a(a|b){20}")
    assert accepts(states, "ba" + "b" * 20) and not accepts(states, "ba" + "b" * 21)
    assert len(states) < 60
    with pytest.raises(LimitExceeded, match="too many states"):
        nfa_to_dfa(states)


def test_a_state_of_very_many_items_meets_a_limit(monkeypatch):
    monkeypatch.setattr(subsets, "MAX_SUBSET_MEMBERS", subsets.MAX_SUBSET_MEMBERS // 20)
    states, state = lazy("(a?){2000}" * 30), 0
    with pytest.raises(LimitExceeded):
        while True:
            state = states.row(state)[0]


# How many bytes are left ------------------------------------------------------------------------------


def shortest(states, state):
    """Return the fewest bytes of a text that leads to an end, by a search through whole characters."""
    chars = [range(first, last) for first, last in zip(states.bounds, [*states.bounds[1:], 0x110000], strict=True)]
    sizes = [
        min((len(chr(c).encode()) for c in (*each[:1], 0xE000) if c in each and not 0xD800 <= c < 0xE000), default=None)
        for each in chars
    ]
    level, found, seen = {state}, 0, {}
    waiting = {0: level}
    while waiting:
        found = min(waiting)
        for each in waiting.pop(found):
            if states.accepts(each):
                return found
            if each in seen:
                continue
            seen[each] = found
            for target, bits in states.targets(each).items():
                for symbol_class, size in zip(states.classes, sizes, strict=True):
                    if size is not None and symbol_class != DEAD and bits >> symbol_class & 1:
                        waiting.setdefault(found + size, set()).add(target)
    return float("inf")


BYTES = ["a{3}|é{2}", "[é-￿]{3}a?", "(€|ab){2,4}😀", "[\ud800-\udfff]x|abc", "a[\ud800-\udfff]", "(a{2,3}b?){1,2}c"]


@pytest.mark.parametrize(
    "made",
    [
        *(parse_tree(pattern) for pattern in [*SHORT, *BYTES, "#[0-9a-f]{6}", "abc|abcd|x"]),
        *(Concat((compile_dfa("é{2}a|b"), Repeat(compile_dfa("xyz|€"), 2, 3))), compile_dfa("")),
        literals(["yes", "ja", "né", "nein", "ja!"]),
    ],
)
def test_the_bytes_that_are_left_are_counted_without_a_walk(made):
    """Of patterns, of automata in a tree, and of words."""
    states = LazyDfa(made)
    for state in range(40):
        if state < len(states):
            assert states.fewest_bytes(state) == shortest(states, state) <= states.most_bytes, state


# Automata as leaves -----------------------------------------------------------------------------------


def test_automata_side_by_side_are_kept_apart():
    """Each spells its characters in objects that live for a moment, and the next one's may get their addresses."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    assert accepts(LazyDfa(Concat(tuple(compile_dfa(letter) for letter in letters))), letters)


# Counts that are far from their ends --------------------------------------------------------------------


def after(states, state, text):
    """Return the state after a text, making what it meets and no more."""
    for char in text:
        place = max(i for i, bound in enumerate(states.bounds) if bound <= ord(char))
        symbol_class = states.classes[place]
        ways = states.targets(state).items() if symbol_class != DEAD else ()
        state = next((target for target, bits in ways if bits >> symbol_class & 1), DEAD)
        if state == DEAD:
            break
    return state


# Words ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_words(seed):
    """By the trie, by subsets and one by one; the empty word, words twice, and words that begin others included."""
    rng = random.Random(seed)
    texts = ["".join(rng.choices("abé\U0001f600 \n", k=rng.randrange(6))) for _ in range(rng.randrange(1, 40))]
    direct, by_subsets = literals(texts), minimize_dfa(nfa_to_dfa(parse_regex("|".join(texts))))
    assert len(direct) == len(by_subsets)
    assert equivalent(direct, by_subsets)
    assert all(fullmatch(direct, text) == (text in texts) for text in [*texts, "", "b", "abb", "é\n"])


def test_states_are_alike_for_short_texts():
    """After every short text both are dead or alive, end or go on, and need as many bytes.

    Masks depend on it (``lab_07/test_masks.py``); here are counts of characters that an automaton spells.
    """
    states = LazyDfa(Spelled(compile_dfa("(aab)*"), (parse_tree("a"), parse_tree("b|c,")), 29))
    rng, shared, short = random.Random(0), 0, words("abc,", 3)
    for _ in range(15):
        state = states.initial
        for _ in range(45):
            other = states.alike(state, lambda held: 3)
            shared += other != state
            for text in short:
                one, two = after(states, state, text), after(states, other, text)
                assert (one == DEAD) == (two == DEAD), (state, text)
                if one != DEAD:
                    assert states.accepts(one) == states.accepts(two)
                    assert states.fewest_bytes(one) == states.fewest_bytes(two)
            ways = [way for char in "abc," if (way := after(states, state, char)) != DEAD]
            if not ways:
                break
            state = rng.choice(ways)
    assert shared
