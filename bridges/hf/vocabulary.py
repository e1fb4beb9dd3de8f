"""The bytes of each token of any tokenizer of transformers: what the masks need of a model besides its logits."""

import json
from collections.abc import Callable, Iterable
from typing import Any

from bridges.hf.tokenizer import characters
from labkit.sentencepieces import SPACE
from labkit.vocabulary import Vocabulary

_BYTES = {char: byte for byte, char in enumerate(characters())}
_PASSING = {"ByteFallback", "Fuse", "Strip"}
"""Steps of a decoder that change no token in the middle of a text, beside those of which the bytes are read."""


def vocabulary_of(tokenizer: Any, eos_id: int | None = None) -> Vocabulary:
    """Return the vocabulary of a tokenizer, each token with the bytes that it stands for inside a text.

    Decoding a single id would not do: it drops a leading space, and makes half a character U+FFFD. So the bytes come
    from the tokenizer's own tables.

    Args:
        tokenizer: what ``AutoTokenizer.from_pretrained`` returns, of byte-level BPE or of SentencePiece's kind (byte
            fallback, ``▁`` for a space), or a ``tokenizers.Tokenizer``; or a ``tiktoken.Encoding``.
        eos_id: the token that ends an answer; by default the tokenizer's own.

    Raises:
        ValueError: if the tokenizer is of another kind, as WordPiece, or names no EOS.

    >>> from bridges.hf.tokenizer import tokenizer_json
    >>> from labkit.small_model.tokenizer import Tokenizer
    >>> import tokenizers
    >>> theirs = tokenizers.Tokenizer.from_str(json.dumps(tokenizer_json(Tokenizer.load())))
    >>> vocabulary_of(theirs, eos_id=1020).token_bytes[0xE2], theirs.decode([0xE2])  # the first byte of €
    (b'\\xe2', '\ufffd')
    """
    if hasattr(tokenizer, "decode_single_token_bytes"):
        special = {*tokenizer._special_tokens.values()}
        ids = special | {*tokenizer._mergeable_ranks.values()}
        tokens = {i: tokenizer.decode_single_token_bytes(i) for i in ids}
        eos_id = tokenizer._special_tokens.get("<|endoftext|>") if eos_id is None else eos_id
    else:
        backend = getattr(tokenizer, "backend_tokenizer", tokenizer)
        if not hasattr(backend, "to_str"):
            raise ValueError(f"a {type(tokenizer).__name__} does not say its tokens' bytes: load it with use_fast=True")
        tokens, special = _of_json(json.loads(backend.to_str()))
    eos_id = getattr(tokenizer, "eos_token_id", None) if eos_id is None else eos_id
    if eos_id is None:
        raise ValueError("the tokenizer names no EOS: give eos_id")
    # Ids between the tokens, which some models leave free, are special: no mask allows them.
    size = max(tokens) + 1
    holes = (i for i in range(size) if i not in tokens)
    return Vocabulary([tokens.get(i, b"") for i in range(size)], eos_id=eos_id, special_ids={*special, *holes})


def _of_json(content: dict[str, Any]) -> tuple[dict[int, bytes], set[int]]:
    """Return the bytes of each id, and the special ids, from the content of a ``tokenizer.json``."""
    model, read = content["model"], _reader(content)
    vocab: Any = model["vocab"]
    # Unigram lists its pieces with their scores, in the order of ids.
    pairs: Iterable[tuple[str, int]] = (
        vocab.items() if isinstance(vocab, dict) else ((piece, i) for i, (piece, _) in enumerate(vocab))
    )
    tokens = {i: read(piece) for piece, i in pairs}
    special = {model["unk_id"]} if isinstance(model.get("unk_id"), int) else set[int]()
    if isinstance(vocab, dict) and model.get("unk_token") in vocab:
        special.add(vocab[model["unk_token"]])
    for added in content["added_tokens"]:  # found in the text before the model sees it, so written as they are
        tokens[added["id"]] = added["content"].encode()
        special |= {added["id"]} if added["special"] else set()
    return tokens, special


def _reader(content: dict[str, Any]) -> Callable[[str], bytes]:
    """Return the function from a token, as the file writes it, to its bytes."""
    decoder = content.get("decoder") or {"type": "None"}
    steps = decoder["decoders"] if decoder["type"] == "Sequence" else [decoder]
    kinds = {step["type"] for step in steps}
    if "ByteLevel" in kinds and kinds <= _PASSING | {"ByteLevel"}:
        # like the library, a token that is not in the alphabet of bytes stands for itself
        return lambda piece: bytes(map(_BYTES.__getitem__, piece)) if {*piece} <= _BYTES.keys() else piece.encode()
    space = {
        step.get("replacement") or step["pattern"].get("String")
        for step in steps
        if step["type"] == "Metaspace" or (step["type"] == "Replace" and step["content"] == " ")
    }
    others = [step for step in steps if step["type"] not in _PASSING | {"Metaspace", "Replace"}]
    if space != {SPACE} or others:
        raise ValueError(f"a decoder of {', '.join(sorted(kinds))} gives tokens no bytes of their own")
    fallback = "ByteFallback" in kinds or content["model"].get("byte_fallback", False)

    def read(piece: str) -> bytes:
        if fallback and len(piece) == 6 and piece.startswith("<0x") and piece.endswith(">"):
            return bytes([int(piece[3:5], 16)])
        return piece.replace(SPACE, " ").encode()

    return read
