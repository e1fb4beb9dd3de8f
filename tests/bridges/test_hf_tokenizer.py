"""The tokenizer in the form of ``tokenizers``: the same ids as ours on any text, and the same texts."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bridges.hf.tokenizer import characters, pairs_of, tokenizer_json
from labkit.small_model.tokenizer import SPECIAL, Tokenizer
from tests.bridges.extras import needs_tokenizers

OURS = Tokenizer.load()
TOKENS = OURS.vocabulary.token_bytes[:1020]

UNICODE = st.text(st.characters(exclude_categories=["Cs"]))
PIECES = st.sampled_from(
    [*SPECIAL, *filter(None, OURS.vocabulary.texts()), "\r\n", "\x00", "\x80", "é", "e\u0301", "\U0001d7d9"]
)
TEXTS = UNICODE | st.lists(PIECES, max_size=30).map("".join)


@pytest.fixture(scope="module")
def theirs():
    """The converted tokenizer, which reads special tokens' names as text, as set in `tokenizer_config`."""
    import tokenizers

    made = tokenizers.Tokenizer.from_str(json.dumps(tokenizer_json(OURS)))
    made.encode_special_tokens = True
    return made


def ids_of(theirs, text):
    return theirs.encode(text, add_special_tokens=False).ids


def test_of_two_pairs_that_overlap_the_one_further_left_comes_first():
    """``ar a`` and ``a ra`` make the same token, and ``ar a ra`` contains both. The vocabulary has four such."""
    place = {pair: place for place, pair in enumerate(pairs_of(TOKENS))}
    turned = [((a, b), (b, (a + b)[len(b) :])) for a, b in place if a != b and (a + b).startswith(b)]
    overlapping = [(left, right) for left, right in turned if right in place]
    assert len(overlapping) == 4 and all(place[left] < place[right] for left, right in overlapping)


# The same ids -----------------------------------------------------------------------------------------


@needs_tokenizers
@settings(max_examples=500)
@given(TEXTS)
@example("")
@example('  12345 {"a": [1, 2]}\n\n\t</x> don\'t')
@example("<|user|>Hi<|assistant|>[TOOL_CALLS]<|end|>")
def test_any_text_has_the_same_ids(theirs, text):
    assert ids_of(theirs, text) == OURS.encode(text)
    assert theirs.encode(text).ids == OURS.prompt(text), "with special tokens a text is a prompt"


# Back to text, and special tokens -----------------------------------------------------------------------


@needs_tokenizers
@settings(max_examples=300)
@given(st.lists(st.integers(0, 1023), max_size=20))
@example([0xE2, 0x82, 1020, 0xAC, 0xF0, 0x9F, 0x41, 0xC0, 0x80])
def test_any_ids_have_the_same_text(theirs, ids):
    assert theirs.decode(ids) == OURS.decode(ids)
    assert theirs.decode(ids, skip_special_tokens=False) == OURS.decode(ids, special=True)


@needs_tokenizers
def test_ids_of_tokens_and_of_special_tokens_are_ours(theirs):
    assert theirs.get_vocab_size() == 1024
    for token_id, token in enumerate(OURS.vocabulary.token_bytes):
        name = "".join(characters()[byte] for byte in token)
        assert theirs.token_to_id(name) == token_id
