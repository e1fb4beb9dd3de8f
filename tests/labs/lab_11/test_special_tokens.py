"""Special tokens in bodies: a guide wants the token where the vocabulary has one, and no text that spells it."""

import pytest

from labkit.errors import TokenNotAllowed
from labkit.small_model.tokenizer import Tokenizer
from labkit.vocabulary import Vocabulary
from labs.assembled import guide_of
from labs.lab_11_tool_calls.ab import blocks_automaton
from labs.lab_11_tool_calls.given.formats import FORMATS
from labs.lab_11_tool_calls.given.grammars import body_automaton, spelling
from tests.labs.lab_11.formats import EXAMPLES, TOOLS, split


def vocabulary_of(row):
    """Return the 256 bytes, the row's special tokens, two tokens with control bytes, and EOS."""
    tokens = [bytes([byte]) for byte in range(256)] + [text.encode() for text in row.special] + [b"a\x01", b"\x01b"]
    return Vocabulary([*tokens, b"</s>"], eos_id=len(tokens), special_ids=range(256, 256 + len(row.special)))


def ids_of(row, text, *, spelled_out=False):
    """Return the ids of a text, a byte each; the row's special texts are their tokens unless spelled out."""
    ids = []
    while text:
        special = [place for place, each in enumerate(row.special) if text.startswith(each) and not spelled_out]
        if special:
            place = max(special, key=lambda place: len(row.special[place]))
            ids, text = [*ids, 256 + place], text[len(row.special[place]) :]
        else:
            ids, text = [*ids, *text[0].encode()], text[1:]
    return ids


def reaches_the_end(guide, ids):
    state = guide.initial
    try:
        for token_id in ids:
            state = guide.advance(state, token_id)
    except TokenNotAllowed:
        return False
    return guide.is_accepting(state)


WITH_SPECIAL = [name for name, row in FORMATS.items() if any(text in EXAMPLES[name]["one"] for text in row.special)]


@pytest.mark.parametrize("name", [name for name in WITH_SPECIAL if FORMATS[name].constrained])
def test_a_body_with_special_tokens(name):
    row = FORMATS[name]
    chars, vocabulary = spelling(row, vocabulary_of(row))
    assert set(chars) == set(row.special) and len(set(chars.values())) == len(chars)
    _, trigger, body = split(name, EXAMPLES[name]["one"])
    guide = guide_of(vocabulary, body_automaton(row, TOOLS, trigger, spelled=chars))
    assert reaches_the_end(guide, ids_of(row, body))
    if any(text in body for text in row.special):
        assert not reaches_the_end(guide, ids_of(row, body, spelled_out=True))
    for forbidden in (1, len(vocabulary) - 2, len(vocabulary) - 3):  # the control byte itself, and tokens that have one
        assert forbidden in vocabulary.special_ids


def test_where_the_vocabulary_has_no_such_tokens_the_text_is_spelled_out():
    row = FORMATS["kimi_k2"]
    plain = Vocabulary.bytes()
    chars, vocabulary = spelling(row, plain)
    assert chars == {} and vocabulary is plain
    body = split("kimi_k2", EXAMPLES["kimi_k2"]["one"])[2]
    assert reaches_the_end(guide_of(vocabulary, body_automaton(row, TOOLS)), ids_of(row, body, spelled_out=True))


def test_a_required_call_begins_with_the_special_token_of_the_small_model():
    row, tokenizer = FORMATS["mistral_bare"], Tokenizer.load()
    chars, vocabulary = spelling(row, tokenizer.vocabulary)
    guide = guide_of(vocabulary, blocks_automaton(row, TOOLS, spelled=chars))
    first = [
        token_id
        for token_id in range(len(vocabulary))
        if guide.mask(guide.initial)[token_id // 32] >> token_id % 32 & 1
    ]
    assert first == [tokenizer.special_ids["[TOOL_CALLS]"]]
    two = tokenizer.answer(EXAMPLES["mistral_bare"]["two"])[:-1]
    assert reaches_the_end(guide, two) and not reaches_the_end(guide, tokenizer.encode(EXAMPLES["mistral_bare"]["two"]))
