"""Tests of lab 03. The oracles are partial matches of ``regex``, brute force over prefixes, and automata as data."""

from itertools import product

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from labkit.automata import Fsm, decimal_fsm
from labkit.automata.tries import Trie
from labkit.checking import Recorder, check_equal, check_type, describe_walk
from labkit.checking.calls import check_call
from labkit.checking.promises import check_promises
from labkit.checking.properties import PROPERTY
from labkit.models import uniform

NUMBER = r"([0-9]+)?\.[0-9]+"
NUMBER_WITNESSES = {0: "", 1: "1", 2: ".", 3: ".1"}
HEX = "0x[0-9a-f]+"
HEX_DIGITS = "0123456789abcdef"
HEX_FSM = Fsm(
    transitions=({"0": 1}, {"x": 2}, dict.fromkeys(HEX_DIGITS, 3), dict.fromkeys(HEX_DIGITS, 3)),
    initial=0,
    accepting=frozenset({3}),
)
HEX_WITNESSES = {0: "", 1: "0", 2: "0x", 3: "0x1"}
"""A text that leads the automaton to each of its states."""

AUTOMATA = {"number": (decimal_fsm(), NUMBER, NUMBER_WITNESSES), "hex": (HEX_FSM, HEX, HEX_WITNESSES)}
TOY = ("a", ".", ".2", "1")
NUMBER_TABLE = ({1: 2, 2: 3, 3: 1}, {1: 2, 2: 3, 3: 1}, {3: 3}, {3: 3})
"""The table of ``decimal_fsm()`` and the tokens of ``TOY``, made by hand."""

TEXTS = ("0", "x", "0x", "1", "af", None, "x1", "0x1f", "1x", "", "g")
TEXTS += (".", ".2", "1.", "1.5", "0", "00", ".2.", "q", "é")


def viable(pattern: str, text: str) -> bool:
    """Return whether the text is a prefix of a full match, according to the ``regex`` package."""
    return bool(regex.compile(pattern).fullmatch(text, partial=True))


def state_of(name: str, text: str) -> int:
    """Return the state of the named automaton after a viable text, derived from the text alone."""
    if name == "hex":
        return min(len(text), 3)
    return (3 if text[-1] != "." else 2) if "." in text else int(text != "")


def expected_row(name: str, state: int, texts) -> dict[int, int]:
    """Return the tokens that keep the state's witness viable, and the state after each, by brute force."""
    _, pattern, witnesses = AUTOMATA[name]
    together = [(i, witnesses[state] + text) for i, text in enumerate(texts) if text]
    return {i: state_of(name, text) for i, text in together if viable(pattern, text)}


def check_row(got, expected: dict[int, int], fsm: Fsm, state: int, texts, what: str) -> None:
    """Assert that a row of a table is right; show the first difference as a walk."""
    check_type(got, dict, what)
    for token_id, target in got.items():
        check_type(token_id, int, f"{what}, each key")
        check_type(target, int, f"{what}, the state after token {token_id}")
    for token_id in sorted({*got, *expected}, key=lambda i: (len(texts[i] or "") if 0 <= i < len(texts) else 0, i)):
        if got.get(token_id) != expected.get(token_id):
            text = texts[token_id] if 0 <= token_id < len(texts) else None
            walk = describe_walk(fsm, state, text) if text else "it has no text"
            right = f"leads to state {expected[token_id]}" if token_id in expected else "isn't allowed"
            yours = f"leads to state {got[token_id]}" if token_id in got else "forbids it"
            raise AssertionError(f"{what}, token {token_id} is {text!r}: it {right}, but yours {yours}\n    {walk}")


# partial_match ------------------------------------------------------------------------------------


@pytest.mark.todo("partial_match")
@pytest.mark.parametrize(
    ("state", "token", "expected"),
    [
        *[(0, ".21", (0, 2, 3, 3)), (0, "1", (0, 1)), (1, "1.", (1, 1, 2)), (3, "", (3,)), (2, "7", (2, 3))],
        *[(0, ".21a", None), (0, "a", None), (2, ".", None), (3, "1.1", None), (0, "..1", None), (1, "1a1", None)],
    ],
)
def test_a_path_has_every_state_on_the_way(lab, state, token, expected):
    """Return every state on the way, beginning with the one you start in. If the token dies anywhere, return None."""
    walk = describe_walk(decimal_fsm(), state, token)
    got = lab.partial_match(decimal_fsm(), state, token)
    check_equal(got, expected, f"partial_match from {state}, {token!r}: {walk}")


@pytest.mark.todo("partial_match")
@pytest.mark.parametrize("name", AUTOMATA)
def test_a_token_survives_while_a_match_is_possible(lab, name):
    """A token survives if the text so far, with the token after it, can still become a match. It needn't be one yet."""
    fsm, pattern, witnesses = AUTOMATA[name]
    for state, token in product(witnesses, map("".join, product("0x1.a", repeat=3))):
        so_far = [witnesses[state] + token[:n] for n in range(len(token) + 1)]
        expected = tuple(state_of(name, text) for text in so_far) if viable(pattern, so_far[-1]) else None
        what = f"partial_match in {pattern} from {state}, {token!r}: {describe_walk(fsm, state, token)}"
        check_equal(lab.partial_match(fsm, state, token), expected, what)


# allowed_tokens -----------------------------------------------------------------------------------


@pytest.mark.todo("allowed_tokens")
@pytest.mark.parametrize("name", AUTOMATA)
@pytest.mark.parametrize("state", range(4))
def test_every_token_that_survives_is_found(lab, name, state):
    """Return each token that survives, in the order of the ids, with the state where it ends: you go on from there."""
    fsm, pattern, _ = AUTOMATA[name]
    got = lab.allowed_tokens(fsm, state, TEXTS)
    what = f"allowed_tokens in state {state} of {pattern}"
    check_row(got, expected_row(name, state, TEXTS), fsm, state, TEXTS, what)
    check_equal(list(got), sorted(got), f"{what}, the order of the ids")


# build_trie ---------------------------------------------------------------------------------------


def path_of(trie: Trie, text: str) -> int | None:
    """Return the node that a text leads to, or None."""
    node: int | None = 0
    for char in text:
        node = None if node is None else trie.children[node].get(char)
    return node


@PROPERTY
@given(st.lists(st.one_of(st.none(), st.text("abé", max_size=4)), max_size=12))
@pytest.mark.todo("build_trie")
def test_a_token_is_at_the_end_of_its_path(lab, texts):
    """Spell a token from the root, and its id is at the end, once, and nowhere else. Tokens that begin alike share
    nodes.
    """
    trie = lab.build_trie(texts)
    check_type(trie, Trie, "build_trie")
    expected: dict[str, list[int]] = {}
    for token_id, text in enumerate(texts):
        if text:
            expected.setdefault(text, []).append(token_id)
    for text, ids in expected.items():
        node = path_of(trie, text)
        assert node is not None, f"the path of {text!r} is not in the trie of {texts}"
        check_equal(trie.ids[node], ids, f"the node of {text!r} in the trie of {texts}, its ids")
    everywhere = sorted(token_id for ids in trie.ids for token_id in ids)
    check_equal(everywhere, [i for i, text in enumerate(texts) if text], f"all ids in the trie of {texts}")
    prefixes = {text[:n] for text in expected for n in range(len(text) + 1)} | {""}
    check_equal(len(trie), len(prefixes), f"the number of nodes for {texts}: one for each distinct prefix")


# walk_trie ----------------------------------------------------------------------------------------


def trie_of(texts) -> Trie:
    """Return a trie that the tests build themselves: a node for each prefix, in order of length."""
    prefixes = sorted(
        {text[:n] for text in texts if text for n in range(len(text) + 1)} | {""}, key=lambda p: (len(p), p)
    )
    number = {prefix: node for node, prefix in enumerate(prefixes)}
    children = [{p[-1]: n for p, n in number.items() if p and p[:-1] == prefix} for prefix in prefixes]
    return Trie(children, [[i for i, text in enumerate(texts) if text and text == p] for p in prefixes])


@pytest.mark.todo("walk_trie")
@pytest.mark.parametrize("name", AUTOMATA)
@pytest.mark.parametrize("state", range(4))
def test_the_trie_finds_what_trying_each_token_finds(lab, name, state):
    """The trie only saves you work. Find the same tokens as if you'd walked each one, with the same states."""
    fsm, pattern, _ = AUTOMATA[name]
    got = lab.walk_trie(fsm, state, trie_of(TEXTS))
    check_row(got, expected_row(name, state, TEXTS), fsm, state, TEXTS, f"walk_trie from state {state} of {pattern}")


ONES = Fsm(({"1": 1}, {"1": 1}), initial=0, accepting=frozenset({1}))
CIRCLE = Trie([{"1": 1, "x": 2}, {}, {"x": 2}], [[], [5], [6]])


@pytest.mark.todo("walk_trie")
def test_nobody_looks_below_a_dead_character(lab):
    """Once a character is dead, you needn't look below it, and here you mustn't: you'd walk in a circle forever."""
    check_equal(lab.walk_trie(ONES, 0, CIRCLE), {5: 1}, "walk_trie of 1 and of x, which is dead")


@pytest.mark.todo("walk_trie")
def test_a_long_token_needs_no_recursion(lab):
    """Walk a token of 5,000 characters like any other. Python's stack isn't that deep, so keep your own list."""
    chain = Trie([*({"1": node + 1} for node in range(5000)), {}], [[] for _ in range(5000)] + [[7]])
    check_call(lab, "walk_trie", (ONES, 0, chain), {7: 1}, "over a token of 5,000 characters")


# generate -----------------------------------------------------------------------------------------


@pytest.mark.todo("generate")
@pytest.mark.parametrize(("seed", "expected"), [(12349, "11.21111"), (1, ".2111111"), (7, ".111111"), (8, "111.2111")])
def test_looking_up_writes_what_lab_01_wrote(lab, seed, expected):
    """Looking up changes what a step costs, not what you write: with the same numbers u, it's the text of lab 01's
    loop.
    """
    us = np.random.RandomState(seed).random_sample(7).tolist()
    ids = lab.generate(uniform(4), NUMBER_TABLE, 0, us)
    check_type(ids, list, "generate")
    check_equal("".join(TOY[i] for i in ids), expected, f"the text of 7 steps, seed {seed}")


@pytest.mark.todo("generate")
def test_asks_the_model_once_for_each_token(lab):
    """Ask the model once for each token you write, with all the ids so far, and not at all once nothing may follow."""
    model = Recorder(uniform(3))
    ids = lab.generate(model, ({}, {2: 0}, {0: 3}, {1: 1}), 2, [0.5] * 5)
    check_equal(ids, [0, 1, 2], "generate from row 2 of ({}, {2: 0}, {0: 3}, {1: 1}), which allows one token at a time")
    check_equal(model.calls, [[], [0], [0, 1]], "the model calls")


@pytest.mark.todo("generate")
def test_the_mask_comes_before_softmax(lab):
    """Mask the logits, not the probabilities: beside a forbidden logit of 2,000, softmax rounds every allowed token to
    zero.
    """
    logits = np.array([2000.0, 0.0, 0.0], np.float32)
    ids = lab.generate(lambda ids: logits.copy(), ({1: 0, 2: 0},), 0, [0.1, 0.9])
    check_equal(ids, [1, 2], "generate where the row allows tokens 1 and 2, and token 0 has logit 2,000")


# Promises of every function ---------------------------------------------------------------------------

RING = Fsm(({"a": 1}, {"b": 0, " ": 1}, {"a": 0}), initial=1, accepting=frozenset({0}))
"""It starts in 1, leads back to 0 and goes on a space; no transition leads to 2."""

TWIN = Fsm(({}, {"b": 1, "a": 0, "é": 1}, {}), initial=1, accepting=frozenset({1}))
"""As many states as ``RING``, with other transitions. Two states allow nothing, and a token leads to one of them."""
TWIN_TABLE = ({}, {2: 1, 4: 1, 5: 0, 6: 0}, {})

SPACES = (" ", None, "b", "", "b", "a", "ba", "  ")
"""White space alone, two ids with one text, and ids without text in the middle."""

RING_TABLE = ({5: 1}, {0: 1, 2: 0, 4: 0, 6: 1, 7: 1}, {5: 0})
LETTERS = ("b", " ", "b", "", "a", None, "ba", "  ")
"""The same texts under other ids, so that the trie has the same size."""

LETTERS_TABLE = ({4: 1}, {0: 0, 1: 1, 2: 0, 6: 1, 7: 1}, {4: 0})


def in_lists(build):
    """Return ``build`` with a trie's two lists for its result."""
    return lambda texts: [check_type(trie := build(texts), Trie, "build_trie"), trie.children, trie.ids][1:]


def holds(**expected: list[int]):
    """Return a judge of a trie's lists: which ids end at each text, and that there is a node for each prefix alone."""
    expected = {text.replace("_", " "): ids for text, ids in expected.items()}

    def judge(lists, what: str) -> None:
        (children, ids), found, waiting = lists, {}, [("", 0)]
        while waiting and len(found) < 100:
            text, node = waiting.pop()
            found[text] = ids[node]
            waiting += [(text + char, below) for char, below in children[node].items()]
        right = sorted(({"": []} | expected).items())
        check_equal(dict(sorted(found.items())), dict(right), f"{what}, the ids at each text")

    return judge


def leaves(trie: Trie, expected):
    """Return a judge of what a walk gives: it is as expected, and the trie is as it was."""
    before = [[dict(row) for row in trie.children], [list(ids) for ids in trie.ids]]

    def judge(got, what: str) -> None:
        check_equal(got, expected, what)
        check_equal([trie.children, trie.ids], before, f"the caller's trie after {what}")

    return judge


def promises():
    """Return calls of each function with different answers."""
    turned = Trie([{"b": 3}, {}, {}, {"a": 4, "b": 2}, {" ": 1}], [[], [0], [1], [2], [3, 4]])
    spaces, letters, empty = trie_of(SPACES), trie_of(LETTERS), Trie()
    table = ({2: 0, 0: 2}, {1: 0}, {}, {0: 3})
    level, likes_2 = np.zeros(3, np.float32), np.array([0, 50, 9], np.float32)
    no_2, in_turn = np.array([0, 0, float("-inf")]), lambda ids: np.eye(3)[len(ids) % 2] * 99
    return {
        "partial_match": {
            "from 1, 'ba'": ((RING, 1, "ba"), (1, 0, 1)),
            "from 1, 'bb'": ((RING, 1, "bb"), None),
            "from 1, 'bé' in another automaton": ((TWIN, 1, "bé"), (1, 1, 1)),
            "from 1, 'bab' in another automaton": ((TWIN, 1, "bab"), None),
            "from 0, 'ab'": ((RING, 0, "ab"), (0, 1, 0)),
            "from 2, 'aA'": ((RING, 2, "aA"), None),
            "from 2, 'aa'": ((RING, 2, "aa"), (2, 0, 1)),
            "from 1, 2,000 spaces": ((RING, 1, " " * 2000), (1,) * 2001),
            "from 0, a space": ((RING, 0, " "), None),
            "from 0, where nothing leads on, no text": ((TWIN, 0, ""), (0,)),
        },
        "allowed_tokens": {
            "in state 1": ((RING, 1, SPACES), RING_TABLE[1]),
            "in state 0": ((RING, 0, SPACES), RING_TABLE[0]),
            "in state 1 of another automaton": ((TWIN, 1, SPACES), TWIN_TABLE[1]),
            "in state 1, other ids": ((RING, 1, LETTERS), LETTERS_TABLE[1]),
            "in state 2, which is never reached, of a list": ((RING, 2, list(SPACES)), RING_TABLE[2]),
            "in NumPy's state 1 of a list": ((RING, np.int64(1), list(SPACES)), RING_TABLE[1]),
            "of no tokens": ((RING, 1, ()), {}),
        },
        "build_trie": {
            "of spaces, and of one text twice": ((SPACES,), holds(_=[0], __=[7], a=[5], b=[2, 4], ba=[6])),
            "of a list with other ids": ((list(LETTERS),), holds(_=[1], __=[7], a=[4], b=[0, 2], ba=[6])),
            "of tokens without text": (([None, "", None],), holds()),
            "of 2,000 letters, nodes": ((["b" * 2000],), lambda lists, what: check_equal(len(lists[0]), 2001, what)),
        },
        "walk_trie": {
            "from 1": ((RING, 1, spaces), leaves(spaces, RING_TABLE[1])),
            "from 0": ((RING, 0, spaces), leaves(spaces, RING_TABLE[0])),
            "from 1 in another automaton": ((TWIN, 1, spaces), leaves(spaces, TWIN_TABLE[1])),
            "from 1, other ids": ((RING, 1, letters), leaves(letters, LETTERS_TABLE[1])),
            "from 2, which is never reached": ((RING, 2, spaces), leaves(spaces, RING_TABLE[2])),
            "from 1, nodes in any order": ((RING, 1, turned), leaves(turned, {2: 0, 3: 1, 4: 1, 0: 1})),
            "from 1 in another, nodes in any order": ((TWIN, 1, turned), leaves(turned, {2: 1, 1: 1, 3: 0, 4: 0})),
            "of no tokens": ((RING, np.int64(1), empty), leaves(empty, {})),
        },
        "generate": {
            "from 1": ((lambda ids: likes_2, table, 1, [0.5, 0.5, 0.5]), [1, 2, 2]),
            "from 0, with a tuple of numbers u": ((lambda ids: level, table, 0, (0.9, 0.6, 0.1, 0.9)), [2, 2, 0]),
            "from NumPy's 0, with an array": ((lambda ids: level, table, np.int64(0), np.array([0.9, 0.1])), [2, 0]),
            "from 2, which allows nothing": ((lambda ids: level, table, 2, [0.5]), []),
            "from 3": ((lambda ids: level, table, 3, [0.0, 0.5]), [0, 0]),
            "without numbers u": ((lambda ids: level, table, 1, []), []),
            "of a model that gives a token minus infinity": ((lambda ids: no_2, table, 0, [0.9]), [0]),
            "of a model that reads what was written": ((in_turn, ({0: 0, 1: 0},), 0, [0.5] * 3), [0, 1, 0]),
        },
    }


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.todo(name), id=name) for name in promises()])
def test_calls_leave_everything_else_alone(lab, name):
    """Answer each call right, with a new result. Leave its arguments alone, and remember nothing of other calls."""
    check_promises(lab, name, promises()[name], *[in_lists] * (name == "build_trie"))
