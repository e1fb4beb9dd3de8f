"""What every lab is given: automata that check themselves, refusals, vocabularies, and models."""

import pickle
import re
import string
from itertools import product

import numpy as np
import pytest

from labkit import errors
from labkit.automata import MAX_CLASS, Atom, Fsm, decimal_fsm
from labkit.checking import check_array
from labkit.errors import LimitExceeded, PatternError
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
    assert len(Atom(**ATOM | {"chars": CHARS}).chars) == MAX_CLASS
    with pytest.raises(ValueError, match=says(message)) as caught:
        kind(**(ATOM if kind is Atom else FSM) | change)
    assert isinstance(caught.value, LimitExceeded) == ("the limit is" in message)


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


# Vocabularies -----------------------------------------------------------------------------------------


def test_special_tokens_have_no_text():
    tokens = [b"\xe4\xb8", b"\x96", b"x", b"<pad>", b"</s>"]
    vocabulary = Vocabulary(tokens, eos_id=4, special_ids=[3])
    assert (len(vocabulary), vocabulary.eos_id, vocabulary.special_ids) == (5, 4, {3, 4})
    assert vocabulary.token_bytes == tuple(tokens) and vocabulary.texts() == (None, None, "x", None, None)
    assert Vocabulary(tokens, eos_id=4, special_ids=[3, 4]).special_ids == {3, 4}, "EOS may be among the special ids"
    assert vocabulary.decode([0, 1, 2, 4]) == "世x" and vocabulary.decode([]) == ""
    assert vocabulary.decode([0, 3, 1]) == "世", "a special token adds nothing, not even a break"
    assert vocabulary.decode([1, 2]) == "\ufffdx"


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


def test_the_byte_vocabulary():
    vocabulary = Vocabulary.bytes()
    assert len(vocabulary) == 257 and vocabulary.eos_id == 256 and vocabulary.special_ids == {256}
    assert vocabulary.texts() == tuple(map(chr, range(128))) + (None,) * 129


def test_the_real_vocabulary():
    """The ids come from mistral-common's own tokenizer, which takes seconds to import."""
    tekken = Vocabulary.tekken()
    assert len(tekken) == len(set(tekken.token_bytes)) == 131_072
    assert tekken.eos_id == 2 and tekken.special_ids == frozenset(range(1000))
    assert tekken.token_bytes[:4] == (b"<unk>", b"<s>", b"</s>", b"<SPECIAL_3>")
    assert b"".join(tekken.token_bytes[1000:1256]) == bytes(range(256)), "the bytes come first"
    assert {type(token) for token in tekken.token_bytes} == {bytes} and all(tekken.token_bytes)
    ids = [20560, 1671, 9755, 1044, 1032, 29659, 1033, 1032, 1048, 1120, 1049, 1102]
    assert tekken.decode(ids) == tekken.decode([1, *ids, 2]) == "Grüße, 世界! 0x1f"
    texts = tekken.texts()
    assert texts is tekken.texts(), "made once"
    assert not any(texts[:1000]) and sum(text is None for text in texts[1000:]) > 1000
    for token, text in zip(tekken.token_bytes[1000:], texts[1000:], strict=True):
        assert text.encode() == token if text else "\ufffd" in token.decode("utf-8", errors="replace")


@pytest.mark.parametrize(("load", "name"), [(Vocabulary.tekken, "Tekken"), (Vocabulary.sentencepiece, "SentencePiece")])
def test_a_vocabulary_that_is_not_installed_says_how_to_get_it(load, name, monkeypatch):
    monkeypatch.setattr("labkit.vocabulary.find_spec", lambda name: None)
    command = r".*pip install -r requirements\.txt -c constraints\.txt$"
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
