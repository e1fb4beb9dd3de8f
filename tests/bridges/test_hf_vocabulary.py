"""The bytes of other models' tokens, on tokenizers that ship inside packages: what they encode, and what we read."""

import base64
import json
from functools import cache

import pytest
import tiktoken
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bridges.hf.tokenizer import tokenizer_json
from bridges.hf.vocabulary import vocabulary_of
from labkit.sentencepieces import read_pieces
from labkit.small_model.tokenizer import Tokenizer
from labkit.vocabulary import Vocabulary, data_file
from tests.bridges.extras import needs, needs_tokenizers

needs_pieces = needs("tokenizers", "sentencepiece")

MODEL = "mistral_instruct_tokenizer_240323.model.v3"
TEXT = "Grüße, 世界! 0x1f\n\t  two  spaces 🦜 \x00\x7f\u0e01 <tool> don't"
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\u2581"))


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
    """Mistral's SentencePiece model as ``tokenizers`` has such models: BPE, byte fallback, U+2581 for spaces."""
    import tokenizers
    from sentencepiece import SentencePieceProcessor

    processor = SentencePieceProcessor(model_file=str(data_file(MODEL, "")))
    pieces = [processor.id_to_piece(i) for i in range(processor.vocab_size())]
    ids = {piece: i for i, piece in enumerate(pieces)}
    merges = sorted(
        (processor.get_score(ids[piece]), [piece[:cut], piece[cut:]])
        for piece in pieces[1027:]
        for cut in range(1, len(piece))
        if piece[:cut] in ids and piece[cut:] in ids
    )
    spaces = [{"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "}]
    if metaspace:
        spaces = [{"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "first", "split": False}]
    normalizers = [{"type": "Prepend", "prepend": "\u2581"}]
    normalizers += [{"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"}]
    decoders = [*spaces, {"type": "ByteFallback"}, {"type": "Fuse"}]
    decoders += [{"type": "Strip", "content": " ", "start": 1, "stop": 0}] if not metaspace else []
    content = {
        "version": "1.0",
        "added_tokens": [
            split_by({"id": i, "content": piece, "special": i < 751}) for i, piece in enumerate(pieces[:771])
        ],
        "normalizer": {"type": "Sequence", "normalizers": normalizers},
        "decoder": {"type": "Sequence", "decoders": decoders},
        "model": {
            "type": "BPE",
            "unk_token": "<unk>",
            "fuse_unk": True,
            "byte_fallback": True,
            "vocab": ids,
            "merges": [pair for _, pair in reversed(merges)],
        },
    }
    return tokenizers.Tokenizer.from_str(json.dumps(content))


@cache
def tekken():
    """Mistral's Tekken as an encoding of tiktoken, which is how mistral-common reads it."""
    content = json.loads(data_file("tekken_240911.json", "").read_text(encoding="utf-8"))
    ranks = {base64.b64decode(entry["token_bytes"]): entry["rank"] for entry in content["vocab"][:130072]}
    special = {"<|endoftext|>": 130080, "<|im_start|>": 130085}
    return tiktoken.Encoding(
        "tekken", pat_str=content["config"]["pattern"], mergeable_ranks=ranks, special_tokens=special
    )


@cache
def read(make, *arguments, **options):
    return vocabulary_of(make(*arguments), **options)


def bytes_of(vocabulary, ids):
    assert not vocabulary.special_ids & {*ids}
    return b"".join(vocabulary.token_bytes[i] for i in ids)


@needs_tokenizers
def test_byte_level_tokens_are_the_courses_own():
    vocabulary = vocabulary_of(byte_level(), eos_id=1020)
    assert vocabulary.token_bytes[:1024] == Vocabulary.small().token_bytes
    assert vocabulary.token_bytes[1024:] == ("<töol>".encode(),)
    assert vocabulary.special_ids == {*range(1020, 1024)}


@needs_pieces
@pytest.mark.parametrize("metaspace", [False, True])
def test_pieces_are_those_that_the_model_file_holds(metaspace):
    """The oracle reads SentencePiece's own file, and shares nothing with what reads the JSON."""
    token_bytes, special, eos_id = read_pieces(data_file(MODEL, ""))
    vocabulary = vocabulary_of(like_llama(metaspace), eos_id=eos_id)
    assert list(vocabulary.token_bytes) == token_bytes and vocabulary.special_ids == {*special}


@settings(deadline=None)
@given(TEXTS)
@example(TEXT)
def test_ids_of_tiktoken_stand_for_the_text(text):
    vocabulary = read(tekken)
    assert bytes_of(vocabulary, tekken().encode_ordinary(text)) == text.encode()


def test_tiktokens_special_tokens_and_holes_are_special():
    vocabulary = read(tekken)
    assert vocabulary.eos_id == 130080 and len(vocabulary) == 130086
    assert vocabulary.special_ids == {*range(130072, 130086)}
    assert vocabulary.token_bytes[130085] == b"<|im_start|>"


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
