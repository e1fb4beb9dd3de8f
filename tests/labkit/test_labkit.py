"""What every lab is given: automata that check themselves, refusals, vocabularies, models, and how tests check."""

import math
import pickle
import re
import string
from collections import OrderedDict
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit import errors
from labkit.automata import MAX_CLASS, Atom, Fsm, decimal_fsm
from labkit.checking import Recorder, check_array, check_equal, check_mask, check_type, describe_walk
from labkit.checking.probing import attempt
from labkit.checking.properties import PROPERTY
from labkit.errors import InvalidPattern, LimitExceeded, PatternError
from labkit.models import adversary, digit_lover, seeded_random, uniform
from labkit.vocabulary import Vocabulary


def says(*lines):
    """Return a pattern for a message of exactly these lines."""
    return "^" + re.escape("\n".join(lines)) + "$"


# Automata ---------------------------------------------------------------------------------------------

ATOM = {"chars": frozenset("ab"), "plus": False, "source": "[ab]", "position": 3}
FSM = {"transitions": ({"a": 1}, {}), "initial": 0, "accepting": frozenset({1})}


CHARS = frozenset(map(chr, range(MAX_CLASS)))
FITS = "but the states are 0 to 1"


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        (Atom, {"chars": frozenset()}, "the atom '[ab]' matches no character"),
        (Atom, {"chars": frozenset({"ab"})}, "the atom '[ab]' must hold single characters, not {'ab'}"),
        (Atom, {"chars": frozenset({""})}, "the atom '[ab]' must hold single characters, not {''}"),
        (Atom, {"chars": CHARS | {chr(MAX_CLASS)}}, "'[ab]' at position 3 names 4,097 characters; the limit is 4,096"),
        (Fsm, {"transitions": ()}, "an automaton needs at least one state"),
        (Fsm, {"initial": 2}, f"the automaton starts in state 2, {FITS}"),
        (Fsm, {"initial": -1}, f"the automaton starts in state -1, {FITS}"),
        (Fsm, {"accepting": frozenset({1, 2})}, f"the automaton accepts in state 2, {FITS}"),
        (Fsm, {"transitions": ({"a": 2}, {})}, f"state 0 goes on 'a' to state 2, {FITS}"),
        (Fsm, {"transitions": ({}, {"a": -1})}, f"state 1 goes on 'a' to state -1, {FITS}"),
        (Fsm, {"transitions": ({"ab": 1}, {})}, "state 0 has a transition on 'ab', which is not one character"),
        (Fsm, {"transitions": ({"": 1}, {})}, "state 0 has a transition on '', which is not one character"),
    ],
)
def test_atoms_and_automata_check_themselves(kind, change, message):
    with pytest.raises(ValueError, match=says(message)) as caught:
        kind(**(ATOM if kind is Atom else FSM) | change)
    assert isinstance(caught.value, LimitExceeded) == ("the limit is" in message)


def test_automata_are_data():
    """Two with the same fields are equal, neither can be changed, and both survive pickling."""
    assert Atom(**ATOM).chars == {"a", "b"} and len(Fsm(**FSM)) == 2
    assert len(Atom(**ATOM | {"chars": CHARS}).chars) == MAX_CLASS
    for kind, fields in ((Atom, ATOM), (Fsm, FSM)):
        one = kind(**fields)
        assert one == kind(**fields) == pickle.loads(pickle.dumps(one))
        with pytest.raises(AttributeError):
            setattr(one, next(iter(fields)), None)


def test_the_given_automaton_is_that_of_its_pattern():
    automaton = decimal_fsm()
    for length in range(6):
        for chars in product("07.x", repeat=length):
            state = automaton.initial
            for char in chars:
                state = None if state is None else automaton.transitions[state].get(char)
            accepts = state is not None and state in automaton.accepting
            assert accepts == bool(re.fullmatch(r"([0-9]+)?\.[0-9]+", "".join(chars))), chars
    assert all(set(row) <= set(string.digits + ".") for row in automaton.transitions)


# Errors -----------------------------------------------------------------------------------------------

CASES = [
    (errors.InvalidPattern, ("never closed", "0x[0-9", 2), PatternError, "never closed, at position 2 of '0x[0-9'"),
    (errors.UnsupportedPattern, ("a group '('", "a(b)", 1), PatternError, "a group '(', at position 1 of 'a(b)'"),
    (errors.InvalidSchema, ("unknown type", "/a/b"), errors.SchemaError, "unknown type, at /a/b"),
    (errors.UnsupportedSchema, ("not here", ""), errors.SchemaError, "not here, at the root of the schema"),
    (errors.LimitExceeded, ("'x' names 5,000", 4096), ValueError, "'x' names 5,000; the limit is 4,096"),
    (errors.TokenNotAllowed, (7, "state 2"), ValueError, "token 7 is not allowed in state 2"),
]


@pytest.mark.parametrize(("kind", "arguments", "family", "message"), CASES, ids=[case[0].__name__ for case in CASES])
def test_an_error_is_a_value_error_and_plain_data_and_says_what_and_where(kind, arguments, family, message):
    error = kind(*arguments)
    assert isinstance(error, ValueError) and isinstance(error, family) and error.args == arguments
    assert str(error).split("\n")[0] == message
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind and copy.args == arguments and str(copy) == str(error)


@pytest.mark.parametrize(
    ("pattern", "position", "shown", "caret"),
    [("0x[0-9", 2, "0x[0-9", 2), ("", 0, "", 0), ("ab", 2, "ab", 2), ("é(", 1, r"\xe9(", 4)],
)
def test_the_caret_stands_below_the_character(pattern, position, shown, caret):
    first, text, mark = str(InvalidPattern("wrong", pattern, position)).split("\n")
    assert first == f"wrong, at position {position} of {pattern!a}"
    assert (text, mark) == (f"    {shown}", f"    {' ' * caret}^")


@PROPERTY
@given(st.text(alphabet=st.characters(codec=None) | st.sampled_from("'\"\\\n"), min_size=1, max_size=150), st.data())
def test_any_pattern_is_shown_in_three_plain_lines_with_the_caret_in_place(pattern, data):
    position = data.draw(st.integers(0, len(pattern) - 1))
    lines = str(InvalidPattern("wrong", pattern, position)).split("\n")
    assert len(lines) == 3 and all(line.isascii() and line.isprintable() for line in lines)
    below = lines[1][lines[2].index("^") :]
    spellings = {ascii(pattern[position])[1:-1], "\\" + pattern[position]}
    assert below.startswith(tuple(spellings)), (below, spellings)
    assert len(lines[2]) <= 4 + 10 * 30 + 1, "the caret is never far to the right"


def test_a_long_pattern_is_shown_around_the_place():
    first, text, mark = str(InvalidPattern("wrong", "a" * 500 + "(" + "b" * 500, 500)).split("\n")
    assert first == f"wrong, at position 500 of {'a' * 29 + '...' + 'b' * 28!r}"
    assert text.strip() == "a" * 30 + "(" + "b" * 29 and text[mark.index("^")] == "("


# Vocabularies -----------------------------------------------------------------------------------------


def test_ids_bytes_and_special_tokens():
    vocabulary = Vocabulary([b"a", b"<pad>", b"</s>"], eos_id=2, special_ids=[1])
    assert (len(vocabulary), vocabulary.eos_id, vocabulary.special_ids) == (3, 2, {1, 2})
    assert vocabulary.token_bytes == (b"a", b"<pad>", b"</s>")
    assert vocabulary.texts() == ("a", None, None), "what a special token is called is not its text"
    again = Vocabulary([b"a", b"<pad>", b"</s>"], eos_id=2, special_ids=[1, 2])
    assert again.special_ids == vocabulary.special_ids, "EOS may stand among the special ids"


def test_a_text_is_whole_utf8_or_none():
    """Half a character, an overlong form, a surrogate and a code point beyond the last are not text."""
    whole = ("a", "", "é→世", "\ufffd", "\x00")
    broken = (b"\xc3", b"\xa9", b"a\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80")
    tokens = [*(text.encode() for text in whole), *broken, b""]
    assert Vocabulary(tokens, eos_id=11).texts() == (*whole, *[None] * 7)


def test_a_vocabulary_checks_itself():
    for tokens, eos_id, special in (([], 0, ()), ([b"a"], 1, ()), ([b"a"], -1, ()), ([b"a"], 0, [1])):
        with pytest.raises(ValueError, match=r"at least one token|special or EOS ids \[-?1\] lie outside"):
            Vocabulary(tokens, eos_id=eos_id, special_ids=special)


def test_decoding():
    vocabulary = Vocabulary([b"\xe4\xb8", b"\x96", b"x", b"</s>"], eos_id=3)
    assert vocabulary.decode([0, 1, 2, 3]) == "世x" and vocabulary.decode([]) == ""
    assert vocabulary.decode([0, 3, 1]) == "世", "a special token adds nothing, not even a break"
    assert vocabulary.decode([1, 2]) == "\ufffdx"


def test_the_toy_and_the_byte_vocabulary():
    toy, vocabulary = Vocabulary.toy(), Vocabulary.bytes()
    assert toy.texts() == ("a", ".", ".2", "1", None) and toy.eos_id == 4 and toy.special_ids == {4}
    assert len(vocabulary) == 257 and vocabulary.eos_id == 256 and vocabulary.special_ids == {256}
    assert b"".join(vocabulary.token_bytes[:256]) == bytes(range(256))
    assert vocabulary.texts() == tuple(map(chr, range(128))) + (None,) * 129


@pytest.fixture(scope="module")
def tekken():
    return Vocabulary.tekken()


def test_the_real_vocabulary_has_its_size_and_its_special_tokens(tekken):
    assert len(tekken) == 131_072 and tekken.eos_id == 2 and tekken.special_ids == frozenset(range(1000))
    assert tekken.token_bytes[:4] == (b"<unk>", b"<s>", b"</s>", b"<SPECIAL_3>")
    assert all(text is None for text in tekken.texts()[:1000])
    assert len(set(tekken.token_bytes)) == 131_072
    assert b"".join(tekken.token_bytes[1000:1256]) == bytes(range(256)), "the bytes come first"
    assert {type(token) for token in tekken.token_bytes} == {bytes} and all(tekken.token_bytes)


def test_the_real_vocabularys_ids_are_the_tokenizers(tekken):
    """The ids come from mistral-common's own tokenizer, which takes seconds to import."""
    ids = [20560, 1671, 9755, 1044, 1032, 29659, 1033, 1032, 1048, 1120, 1049, 1102]
    assert tekken.decode(ids) == "Grüße, 世界! 0x1f" and tekken.decode([1, *ids, 2]) == "Grüße, 世界! 0x1f"


def test_the_real_vocabularys_texts(tekken):
    texts = tekken.texts()
    assert texts is tekken.texts(), "made once"
    for token, text in list(zip(tekken.token_bytes, texts, strict=True))[1000:]:
        if text is None:
            assert "\ufffd" in token.decode("utf-8", errors="replace")
        else:
            assert text.encode() == token
    assert sum(text is None for text in texts[1000:]) > 1000


@pytest.mark.parametrize(("load", "name"), [(Vocabulary.tekken, "Tekken"), (Vocabulary.sentencepiece, "SentencePiece")])
def test_a_vocabulary_that_is_not_installed_says_how_to_get_it(load, name, monkeypatch):
    monkeypatch.setattr("labkit.vocabulary.find_spec", lambda name: None)
    command = r"pip install -r requirements\.txt -c constraints\.txt"
    with pytest.raises(FileNotFoundError, match=f"the {name} vocabulary is not installed: {command}"):
        load()


# Models -----------------------------------------------------------------------------------------------

DIGITS = Vocabulary([b"a", b"7", b"12", b"1a", "٣".encode(), b"", b"9"], eos_id=6)
MODELS = {
    "uniform": lambda: uniform(7),
    "seeded": lambda: seeded_random(7, seed=3),
    "adversary": lambda: adversary(DIGITS, wants=["a", "12"]),
    "digits": lambda: digit_lover(DIGITS),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_model_gives_float32_of_the_vocabularys_size_and_the_same_each_time(name):
    model, twin = MODELS[name](), MODELS[name]()
    for ids in ([], [1], [1, 2, 3], (6, 0)):
        row = model(ids)
        check_array(row, np.float32, (7,), name)
        assert np.isfinite(row).all() and row.tobytes() == twin(ids).tobytes() == model(ids).tobytes()
    assert name != "uniform" or set(row.tolist()) == {1.0}
    model([1])[:] = -1
    assert model([1]).tobytes() == twin([1]).tobytes(), "each call gives a new array"


def test_a_seeded_model_depends_on_seed_and_prefix():
    rows = {seeded_random(5, seed)(ids).tobytes() for seed in (1, 2) for ids in ([], [0], [0, 0], [1, 2], [2, 1])}
    assert len(rows) == 10


def test_the_adversary_wants_one_thing_after_another():
    model = adversary(DIGITS, wants=["12", "nothing", "a"])
    wanted = [int(model([0] * n).argmax()) for n in range(5)]
    assert wanted == [2, 0, 2, 0, 2], "in turn, without the text that is no token"
    row = model([])
    assert row[2] == 20.0 and row[0] == 15.0 and np.abs(row[[1, 3, 4, 5, 6]]).max() < 10


def test_the_adversary_takes_the_first_of_equal_texts_and_refuses_to_want_nothing():
    twice = Vocabulary([b"x", b"q", b"q", b"</s>"], eos_id=3)
    assert adversary(twice, wants=["q"])([]).argmax() == 1
    with pytest.raises(ValueError, match=r"has none of the tokens \['</s>', 'zz'\]"):
        adversary(twice, wants=["</s>", "zz"])


def test_the_digit_lover_wants_ascii_digits():
    row = digit_lover(DIGITS)([])
    assert {i for i in range(7) if row[i] > 10} == {1, 2}, "no letters, no other script's digits, not EOS"
    without = Vocabulary([b"a", b"</s>"], eos_id=1)
    assert digit_lover(without)([]).max() < 10


# Checking ---------------------------------------------------------------------------------------------

Text = type("Text", (str,), {})


@pytest.mark.parametrize(
    ("value", "kind", "told"),
    [
        (1, bool, "f must give bool; yours gave int: 1"),
        (True, int, "f must give int; yours gave bool: True"),
        (np.int64(3), int, f"f must give int; yours gave int64: {np.int64(3)!r}"),
        (np.bool_(True), bool, f"f must give bool; yours gave {type(np.bool_(True)).__name__}: {np.bool_(True)!r}"),
        (np.float64(0.5), float, f"f must give float; yours gave float64: {np.float64(0.5)!r}"),
        (Text("a"), str, "f must give str; yours gave Text: 'a'"),
        (None, str, "f must give str; yours gave None"),
        ("a", (int, type(None)), "f must give int or None; yours gave str: 'a'"),
        (OrderedDict(), dict, f"f must give dict; yours gave OrderedDict: {OrderedDict()!r}"),
    ],
)
def test_types_are_exact(value, kind, told):
    for right, exact in ((True, bool), (1, int), (None, (int, type(None))), ("a", str), ([], (tuple, list))):
        check_type(right, exact, "f")
    with pytest.raises(AssertionError, match=says(told)):
        check_type(value, kind, "f")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ([1.0, 2.0], "f must give a NumPy array, float32[2]; yours gave list: [1.0, 2.0]"),
        (None, "f must give a NumPy array, float32[2]; yours gave None"),
        (np.zeros(2), "f must give float32[2]; yours gave float64[2]"),
        (np.zeros((1, 2), np.float32), "f must give float32[2]; yours gave float32[1, 2]"),
        (np.zeros(3, np.float32), "f must give float32[2]; yours gave float32[3]"),
        (np.float32(1), f"f must give a NumPy array, float32[2]; yours gave float32: {np.float32(1)!r}"),
        (np.ma.masked_array([1, 2]).astype(np.float32), None),
        (np.zeros(2, ">f4") if np.little_endian else np.zeros(2, "<f4"), None),
    ],
    ids=str,
)
def test_arrays_are_exact(value, told):
    """A subclass of arrays, and the other order of bytes, are refused too."""
    check_array(np.zeros(2, np.float32), np.float32, (2,), "f")
    with pytest.raises(AssertionError, match=says(told) if told else "f must give .*float32.2.; yours gave"):
        check_array(value, np.float32, (2,), "f")


UNEQUAL = [(1, True), (1.0, 1), (np.int64(1), 1), ([1], (1,)), ([1, True], [1, 1]), ([np.int64(1)], [1])]
UNEQUAL += [((1, [2.0]), (1, [2])), ([1], [1, 2]), ({1}, frozenset({1})), (Text("a"), "a"), (None, False)]
UNEQUAL += [("", None), (math.nan, 0.0)]


@pytest.mark.parametrize(("got", "expected"), UNEQUAL)
def test_equal_means_the_same_type_too(got, expected):
    with pytest.raises(AssertionError, match=says("f", f"    expected {expected!r}", f"    yours    {got!r}")):
        check_equal(got, expected, "f")


TEXTS = ("long", "b", None, "a", "cc")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ([0], "here, token 0 is 'long': expected bit 1, your mask says 0"),
        ([1], "here, token 1 is 'b': expected bit 0, your mask says 1"),
        ([0, 4, 3], "here, token 3 is 'a': expected bit 1, your mask says 0\n(In all 3 of 5 bits are wrong.)"),
        ([1, 3], "here, token 1 is 'b': expected bit 0, your mask says 1\n(In all 2 of 5 bits are wrong.)"),
        ([2], "here, token 2 is None: expected bit 0, your mask says 1"),
    ],
)
def test_a_wrong_mask_is_told_by_its_shortest_token(wrong, told):
    expected = np.array([True, False, False, True, True])
    got = expected.copy()
    check_mask(got, expected, TEXTS, "here")
    got[wrong] = ~got[wrong]
    with pytest.raises(AssertionError, match=says(told)):
        check_mask(got, expected, TEXTS, "here")


def test_a_wrong_mask_tells_why():
    message = says("here, token 1 is 'b': expected bit 0, your mask says 1", "    why 1")
    with pytest.raises(AssertionError, match=message):
        check_mask(np.array([True, True]), np.array([True, False]), ["a", "b"], "here", story=lambda i: f"why {i}")


@pytest.mark.parametrize("got", [[True], np.array([1]), np.array([[True]]), np.array([True, True]), None], ids=str)
def test_a_mask_of_another_type_or_shape(got):
    with pytest.raises(AssertionError, match=r"^here, the mask must give .*bool"):
        check_mask(got, np.array([True]), ["a"], "here")


@pytest.mark.parametrize(
    ("state", "text", "told"),
    [
        (0, "", "state 0"),
        (0, "1.5", "state 0 --'1'--> 1 --'.'--> 2 --'5'--> 3"),
        (2, "5x7", "state 2 --'5'--> 3 --'x'--> dead"),
        (3, "'", 'state 3 --"\'"--> dead'),
    ],
)
def test_a_walk_is_told_up_to_its_death(state, text, told):
    assert describe_walk(decimal_fsm(), state, text) == told


def test_a_recorder_keeps_what_it_was_asked_as_it_was_then():
    ids = []
    ask = Recorder(len)
    for n in range(3):
        assert ask(ids) == n
        ids.append(n)
    assert ask.calls == [[], [0], [0, 1]]


# Probing ----------------------------------------------------------------------------------------------


def test_what_comes_of_a_call_is_data():
    def fail(error):
        raise error

    assert attempt(int, "7") == ("value", 7)
    assert attempt(fail, InvalidPattern("wrong", "ab", 1)) == ("error", "InvalidPattern", 1)
    assert attempt(fail, SystemExit(3)) == ("error", "SystemExit", None)
    with pytest.raises(KeyboardInterrupt):
        attempt(fail, KeyboardInterrupt())
