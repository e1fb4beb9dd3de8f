"""The bytes of other models' tokens, on small tokenizers of each kind: what they encode, and what we read."""

import json
from functools import cache

import pytest
import tiktoken
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bridges.hf.tokenizer import tokenizer_json
from bridges.hf.vocabulary import vocabulary_of
from labkit.small_model.tokenizer import Tokenizer
from labkit.vocabulary import Vocabulary
from tests.bridges.extras import needs_tokenizers

TEXT = "Grüße, 世界! 0x1f\n\t  two  spaces 🦜 \x00\x7f\u0e01 <tool> don't"
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\u2581")) | st.text(" at<>0x")


def split_by(words):
    return {"special": False, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False} | words


def byte_level():
    """The small model's tokenizer, with an added token that is text."""
    import tokenizers

    content = tokenizer_json(Tokenizer.load())
    content["added_tokens"].append(split_by({"id": 1024, "content": "<töol>"}))
    made = tokenizers.Tokenizer.from_str(json.dumps(content))
    made.encode_special_tokens = True
    return made


@cache
def like_llama(metaspace):
    """A tokenizer of SentencePiece's kind: BPE, byte fallback, U+2581 for spaces, and an added token that is text."""
    import tokenizers

    pieces = [
        "<unk>",
        "<s>",
        "</s>",
        *(f"<0x{byte:02X}>" for byte in range(256)),
        *"\u2581at",
        "\u2581\u2581",
        "\u2581a",
    ]
    spaces = [{"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "}]
    if metaspace:
        spaces = [{"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "first", "split": False}]
    normalizers = [{"type": "Prepend", "prepend": "\u2581"}]
    normalizers += [{"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"}]
    decoders = [*spaces, {"type": "ByteFallback"}, {"type": "Fuse"}]
    decoders += [{"type": "Strip", "content": " ", "start": 1, "stop": 0}] if not metaspace else []
    added = [split_by({"id": i, "content": piece, "special": True}) for i, piece in enumerate(pieces[:3])]
    model = {"type": "BPE", "unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True}
    content = {
        "version": "1.0",
        "added_tokens": [*added, split_by({"id": len(pieces), "content": "<tool>"})],
        "normalizer": {"type": "Sequence", "normalizers": normalizers},
        "decoder": {"type": "Sequence", "decoders": decoders},
        "model": {**model, "vocab": {piece: i for i, piece in enumerate(pieces)}, "merges": []},
    }
    content["model"]["merges"] = [["\u2581", "\u2581"], ["\u2581", "a"]]
    return tokenizers.Tokenizer.from_str(json.dumps(content))


@cache
def like_gpt():
    """An encoding of tiktoken with ids that nothing has."""
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"th": 256, " 世".encode()[:2]: 257}
    special = {"<|endoftext|>": 260, "<|im_start|>": 265}
    return tiktoken.Encoding("x", pat_str="(?s).+", mergeable_ranks=ranks, special_tokens=special)


def bytes_of(vocabulary, ids):
    assert not vocabulary.special_ids & {*ids}
    return b"".join(vocabulary.token_bytes[i] for i in ids)


@needs_tokenizers
def test_byte_level_tokens_are_the_courses_own():
    vocabulary = vocabulary_of(byte_level(), eos_id=1020)
    assert vocabulary.token_bytes[:1024] == Vocabulary.small().token_bytes
    assert vocabulary.token_bytes[1024:] == ("<töol>".encode(),)
    assert vocabulary.special_ids == {*range(1020, 1024)}


@needs_tokenizers
@pytest.mark.parametrize("metaspace", [False, True])
@settings(deadline=None)
@given(TEXTS)
@example(TEXT)
def test_ids_of_pieces_stand_for_the_text(metaspace, text):
    made = like_llama(metaspace)
    vocabulary = vocabulary_of(made, eos_id=2)
    ids = made.encode(text, add_special_tokens=False).ids
    assert bytes_of(vocabulary, ids).replace(b" ", b"") == text.replace(" ", "").encode()
    assert "<tool>" in text or bytes_of(vocabulary, ids) == (" " * bool(text) + text).encode()
    assert vocabulary.special_ids == {0, 1, 2} and vocabulary.token_bytes[262:] == (b"  ", b" a", b"<tool>")


@settings(deadline=None)
@given(TEXTS)
@example(TEXT)
def test_ids_of_tiktoken_stand_for_the_text_and_special_tokens_and_holes_are_special(text):
    vocabulary = vocabulary_of(like_gpt())
    assert bytes_of(vocabulary, like_gpt().encode_ordinary(text)) == text.encode()
    assert vocabulary.eos_id == 260 and vocabulary.token_bytes[265:] == (b"<|im_start|>",)
    assert vocabulary.special_ids == {*range(258, 266)}


def test_what_is_of_another_kind_is_refused():
    with pytest.raises(ValueError, match="names no EOS"):
        vocabulary_of(tiktoken.Encoding("x", pat_str=".", mergeable_ranks={b"a": 0}, special_tokens={}))
    with pytest.raises(ValueError, match="use_fast=True"):
        vocabulary_of(object(), eos_id=1)


@needs_tokenizers
@pytest.mark.parametrize("decoder", [None, {"type": "WordPiece", "prefix": "##", "cleanup": True}])
def test_a_decoder_whose_tokens_have_no_bytes_is_refused(decoder):
    import tokenizers

    content = {"version": "1.0", "added_tokens": [], "decoder": decoder}
    content["model"] = {"type": "WordLevel", "vocab": {"a": 0, "##b": 1}, "unk_token": "a"}
    with pytest.raises(ValueError, match="no bytes of their own"):
        vocabulary_of(tokenizers.Tokenizer.from_str(json.dumps(content)), eos_id=1)
