"""The small model's tokenizer in the format of the library ``tokenizers``: plain data, made without that library.

tiktoken and ``tokenizers`` cut a text by the same pattern and merge bytes, but store the merges differently. tiktoken
gives each token a rank, and merges any two neighbours whose bytes together are a token, lowest rank first.
``tokenizers`` has a list of pairs, and merges the pair that comes first in it. So the list has every pair that makes a
token, in the order of the tokens' ranks.
"""

from collections.abc import Sequence
from typing import Any

from labkit.small_model.tokenizer import PATTERN, Tokenizer

Pair = tuple[bytes, bytes]


def pairs_of(tokens: Sequence[bytes]) -> list[Pair]:
    """Return all pairs of tokens that together are a token of the list, in the order in which they are merged.

    Of the pairs that make the same token, the one with the longest left part comes first. Where two of them overlap in
    a text, like ``ar a`` and ``a ra`` in ``ar a ra``, this is the one further left, which tiktoken takes.

    Args:
        tokens: the bytes of each token, by rank.

    >>> pairs_of([b"a", b"r", b"ar", b"ra", b"ara"])
    [(b'a', b'r'), (b'r', b'a'), (b'ar', b'a'), (b'a', b'ra')]
    """
    known = set(tokens)
    return [
        (token[:cut], token[cut:])
        for token in tokens
        for cut in range(len(token) - 1, 0, -1)
        if token[:cut] in known and token[cut:] in known
    ]


def characters() -> list[str]:
    """Return the character for each byte: printable ones stand for themselves, the others get U+0100, U+0101 and so on.

    This is the alphabet of GPT-2's byte-level BPE, which ``tokenizers`` calls ``ByteLevel``.

    >>> characters()[0x20], characters()[0x41], len(set(characters()))
    ('Ġ', 'A', 256)
    """
    plain = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    free = iter(range(0x100, 0x200))
    return [chr(byte if byte in plain else next(free)) for byte in range(256)]


def tokenizer_json(tokenizer: Tokenizer) -> dict[str, Any]:
    """Return the content of ``tokenizer.json``.

    Encoding with special tokens puts ``<|user|>`` before a text and ``<|assistant|>`` after it, like
    `Tokenizer.prompt`; without, it equals `Tokenizer.encode`. Whether a special token's name inside the text becomes
    that token cannot be set in this file: see `tokenizer_config`.

    >>> content = tokenizer_json(Tokenizer.load())
    >>> content["model"]["vocab"]["Ġwith"], content["added_tokens"][0]["content"]
    (314, '<|end|>')
    """
    special = tokenizer.special_ids
    plain = tokenizer.vocabulary.token_bytes[: min(special.values())]
    names = {token: "".join(map(_CHARACTERS.__getitem__, token)) for token in plain}
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    cut = {"type": "Split", "pattern": {"Regex": PATTERN}, "behavior": "Isolated", "invert": False}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": token_id, "content": text, **flags} for text, token_id in special.items()],
        "normalizer": None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [cut, _byte_level()]},
        "post_processor": _frame("<|user|>", "<|assistant|>", special),
        "decoder": _byte_level(),
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": True,  # like tiktoken, look the whole piece up before merging
            "vocab": {name: token_id for token_id, name in enumerate(names.values())},
            "merges": [[names[left], names[right]] for left, right in pairs_of(list(names))],
        },
    }


def tokenizer_config(tokenizer: Tokenizer, max_length: int) -> dict[str, Any]:
    """Return the content of ``tokenizer_config.json``, which transformers reads.

    With ``split_special_tokens`` the name of a special token inside a text is text, as it is for `Tokenizer.encode`:
    what a user writes cannot end a turn. Padding goes to the left, where generation needs it, and is EOS, because the
    vocabulary has no padding token; the attention mask tells them apart.

    >>> tokenizer_config(Tokenizer.load(), 1024)["split_special_tokens"]
    True
    """
    end, *others = tokenizer.special_ids
    return {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": max_length,
        "model_input_names": ["input_ids", "attention_mask"],
        "eos_token": end,
        "pad_token": end,
        "additional_special_tokens": others,
        "split_special_tokens": True,
        "padding_side": "left",
        "clean_up_tokenization_spaces": False,
    }


_CHARACTERS = characters()


def _byte_level() -> dict[str, Any]:
    return {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}


def _frame(before: str, after: str, ids: dict[str, int]) -> dict[str, Any]:
    """Return the post-processor that puts a special token before a text and one after it."""
    text = {"Sequence": {"id": "A", "type_id": 0}}
    first, last = ({"SpecialToken": {"id": name, "type_id": 0}} for name in (before, after))
    used = {name: {"id": name, "ids": [ids[name]], "tokens": [name]} for name in (before, after)}
    pair = [first, text, {"Sequence": {"id": "B", "type_id": 0}}, last]
    return {"type": "TemplateProcessing", "single": [first, text, last], "pair": pair, "special_tokens": used}
