"""The SentencePiece vocabulary: every token's bytes, held to what the tokenizer itself does with whole texts."""

import re
from functools import cache
from importlib.util import find_spec

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from labkit.checking.properties import PROPERTY
from labkit.sentencepieces import read_pieces
from labkit.vocabulary import Vocabulary, data_file

pytestmark = pytest.mark.skipif(find_spec("sentencepiece") is None, reason="the oracle is in requirements/check.txt")

MODEL = "mistral_instruct_tokenizer_240323.model.v3"
BYTES = range(771, 1027)


@cache
def vocabulary():
    return Vocabulary.sentencepiece()


@cache
def tokenizer():
    """Return Mistral's own tokenizer for this model, without the special tokens of an instruction."""
    from mistral_common.tokens.tokenizers.mistral import MistralTokenizer

    return MistralTokenizer.v3().instruct_tokenizer.tokenizer


def test_its_size_and_its_special_tokens():
    real = vocabulary()
    assert len(real) == 32_768 and real.eos_id == tokenizer().eos_id == 2
    assert real.special_ids == frozenset(range(751)), "unknown, begin, end, and the control tokens"
    assert real.token_bytes[:6] == (b"<unk>", b"<s>", b"</s>", b"[INST]", b"[/INST]", b"[TOOL_CALLS]")
    assert all(text is None for text in real.texts()[:751])
    assert real.texts()[770] == "[REFERENCE_DOC_0]", "pieces that users defined are text"


def test_the_byte_tokens_are_the_256_bytes():
    real = vocabulary()
    assert [real.token_bytes[i] for i in BYTES] == [bytes([i]) for i in range(256)]
    assert {type(token) for token in real.token_bytes} == {bytes} and all(real.token_bytes)


@PROPERTY
@given(st.text())
@example("Grüße, 世界! 0x1f\n\t  two  spaces 🦜 \x00\x7f\u0e01")
@example("<0x41> </s> [INST] \u2581")
def test_the_tokenizers_ids_stand_for_the_text(text):
    """The bytes of mistral-common's ids are the text, after a space that it adds in front.

    Its pieces write a space as U+2581, so its ids do not distinguish the two.
    """
    ids = tokenizer().encode(text, bos=False, eos=False)
    joined = b"".join(vocabulary().token_bytes[i] for i in ids)
    assert joined == (" " * bool(text) + text).replace("\u2581", " ").encode()
    assert not vocabulary().special_ids & set(ids)


def test_every_piece_is_what_the_model_decodes_after_another():
    """After a word the decoder keeps spaces; bytes that are not text become U+FFFD."""
    from sentencepiece import SentencePieceProcessor

    model = SentencePieceProcessor(model_file=str(data_file(MODEL, "")))
    (anchor,) = model.encode("x")
    real = vocabulary()
    for token_id in range(751, len(real)):
        expected = "x" + real.token_bytes[token_id].decode("utf-8", errors="replace")
        assert model.decode([anchor, token_id]) == expected, token_id


def test_a_file_that_is_no_model_is_refused(tmp_path):
    with pytest.raises(OSError, match=re.escape(str(tmp_path / "none"))):
        read_pieces(tmp_path / "none")
    (tmp_path / "text").write_text("no model")
    with pytest.raises(ValueError, match=f"{re.escape(str(tmp_path / 'text'))} is no SentencePiece model"):
        read_pieces(tmp_path / "text")
