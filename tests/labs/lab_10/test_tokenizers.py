"""Jumps in the spelling of tokenizers that change what they read: they add BOS, a space, or normalise.

The tokenizers are made with the library ``tokenizers``, one for each way in which those of published models differ
from ours. Whatever one does, the answer says what was forced, and no special token gets into it.
"""

import json
from itertools import product

import pytest

from bridges.hf.tokenizer import tokenizer_json
from bridges.hf.vocabulary import vocabulary_of
from labkit.small_model.tokenizer import Tokenizer
from labs.lab_10_jump_forward.solution import TokenBytes, retokenized
from tests.bridges.extras import needs_tokenizers

pytestmark = needs_tokenizers

BYTE_LEVEL = json.dumps(tokenizer_json(Tokenizer.load()))
NORMALIZERS = ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "Strip")
KINDS = ["plain", "BOS and EOS", "a space", "metaspace", "metaspace and BOS", "no accents", *NORMALIZERS]

LASTS = ["", "{", '"', " ", "N", "e", "é", " a", "<|end|>"]
RUNS = [
    '"name": "',
    "ame",
    "\u0301",
    "é",
    "É",
    "Åﬁ①",
    "  x ",
    " ",
    "\n\t",
    "Straße",
    "日本",
    "<|user|>",
    "a\u0301\u0327",
]


def metaspace(bos):
    """A tokenizer of SentencePiece's kind: ``▁`` for a space, one more in front, and bytes for what it doesn't know."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

    names = ["<unk>", "<s>", "<|end|>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", *'abemnx1":{}N', "na", "me"]
    vocab = {name: i for i, name in enumerate(dict.fromkeys(names))}
    model = models.BPE(vocab, [("n", "a"), ("m", "e")], unk_token="<unk>", byte_fallback=True, fuse_unk=True)
    made = Tokenizer(model)
    made.add_special_tokens(["<unk>", "<s>", "<|end|>"])
    made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    made.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    if bos:
        made.post_processor = processors.TemplateProcessing("<s> $A", "<s> $A $B", [("<s>", 1)])
    return made


def made(kind):
    """Return a tokenizer's vocabulary, and its function from a text to ids."""
    import tokenizers
    from tokenizers import normalizers, pre_tokenizers, processors

    if kind.startswith("metaspace"):
        theirs = metaspace("BOS" in kind)
    else:
        theirs = tokenizers.Tokenizer.from_str(BYTE_LEVEL)
        if kind in NORMALIZERS:
            theirs.normalizer = getattr(normalizers, kind)()
        elif kind == "no accents":
            theirs.normalizer = normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents()])
        elif kind == "a space":
            theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
        if kind != "BOS and EOS":
            theirs.post_processor = processors.ByteLevel()
    vocabulary = vocabulary_of(theirs, theirs.token_to_id("<|end|>"))
    return vocabulary, lambda text: theirs.encode(text).ids


@pytest.mark.parametrize("kind", KINDS)
def test_a_jump_says_what_is_forced_whatever_the_tokenizer_does(kind):
    vocabulary, encode = made(kind)
    tokens, theirs = TokenBytes(vocabulary, encode), 0
    special = {*vocabulary.special_ids, vocabulary.eos_id}
    for last, run in product(LASTS, RUNS):
        last_id = vocabulary.eos_id if last == "<|end|>" else tokens.ids.get(last.encode())
        lasts = [] if last_id is None else [last_id]
        found = retokenized(lasts, run.encode(), tokens)
        assert tokens.bytes_of(found) == tokens.bytes_of(lasts) + run.encode(), (last, run)
        assert [i for i in found if i in special] == [i for i in lasts if i in special], (last, run)
        theirs += found == encode(tokens.bytes_of(lasts).decode() + run)
    # The test sees both sides: this tokenizer's own spelling is taken somewhere, unless it frames every text.
    assert bool(theirs) is ("BOS" not in kind)
