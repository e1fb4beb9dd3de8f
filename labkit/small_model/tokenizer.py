"""The small model's tokenizer: byte-level BPE of 1,024 tokens, some of which straddle JSON's punctuation."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import tiktoken

from labkit.vocabulary import SMALL_SPECIAL, SMALL_TOKENS, Vocabulary, byte_level_vocabulary

TOKENS = SMALL_TOKENS
SPECIAL = SMALL_SPECIAL

PATTERN = r" ?{w}+|[0-9]{{1,2}}|{p}+(?= {w})|{p}+".format(
    w=r"[^\x00-\x40\x5B-\x60\x7B-\x7F]", p=r"[\x00-\x2F\x3A-\x40\x5B-\x60\x7B-\x7F]"
)
"""Cuts a text into pieces before tokens are merged: words with the space before them, pairs of digits, runs of
punctuation and space. Non-ASCII characters count as letters, so that the result is the same for every version of
Unicode."""


class Tokenizer:
    """Text to token ids and back.

    Ids 0 to 255 are the bytes, then come the merges in the order of their training, then the special tokens.

    Args:
        vocabulary: a vocabulary of `byte_level_vocabulary`; the ids of its tokens are their ranks.

    >>> tokenizer = Tokenizer.load()
    >>> tokenizer.decode(tokenizer.encode('{"city": "Zürich"}'))
    '{"city": "Zürich"}'
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        ranked = vocabulary.token_bytes[: vocabulary.eos_id]
        self.vocabulary = vocabulary
        self.eos_id = vocabulary.eos_id
        self.special_ids = {text: self.eos_id + place for place, text in enumerate(SPECIAL)}
        self._bpe = tiktoken.Encoding(
            "small",
            pat_str=PATTERN,
            mergeable_ranks={token: rank for rank, token in enumerate(ranked)},
            special_tokens=dict(self.special_ids),
        )

    @classmethod
    def load(cls, path: Path = TOKENS) -> "Tokenizer":
        """Return the tokenizer that the small model was trained with; one object for each file.

        Raises:
            ValueError: if the file is missing or is not a list of tokens.
        """
        return _load(path)

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text, in which the names of special tokens are ordinary text.

        Raises:
            ValueError: if the text contains half a surrogate pair, which UTF-8 cannot encode.

        >>> tokenizer = Tokenizer.load()
        >>> [tokenizer.decode([i]) for i in tokenizer.encode('"city": "Rome"')]
        ['"', 'city', '": "', 'R', 'ome', '"']
        >>> tokenizer.eos_id in tokenizer.encode("<|end|>")
        False
        """
        try:
            text.encode()
        except UnicodeEncodeError as error:
            half = f"U+{ord(text[error.start]):04X}"
            raise ValueError(f"the text has half a surrogate pair, {half}, at position {error.start}") from None
        return self._bpe.encode_ordinary(text)

    def decode(self, ids: Iterable[int], *, special: bool = False) -> str:
        """Return the text of ids; invalid UTF-8 becomes U+FFFD.

        Args:
            special: whether special tokens show their names; otherwise they add nothing.

        >>> Tokenizer.load().decode([72, 105, 1020], special=True)
        'Hi<|end|>'
        """
        if not special:
            return self.vocabulary.decode(ids)
        return b"".join(self.vocabulary.token_bytes[i] for i in ids).decode("utf-8", errors="replace")

    def prompt(self, text: str) -> list[int]:
        """Return the ids of a prompt: ``<|user|>``, the text, ``<|assistant|>``.

        >>> Tokenizer.load().prompt("Hi")[::2]
        [1021, 1022]
        """
        return [self.special_ids["<|user|>"], *self.encode(text), self.special_ids["<|assistant|>"]]

    def answer(self, text: str) -> list[int]:
        """Return the ids that the model should write: the text and EOS; ``[TOOL_CALLS]`` becomes the special token.

        >>> Tokenizer.load().answer("[TOOL_CALLS] [")[0]
        1023
        """
        called = SPECIAL[3]
        first, *others = text.split(called)
        after = (token_id for part in others for token_id in [self.special_ids[called], *self.encode(part)])
        return [*self.encode(first), *after, self.eos_id]


@cache
def _load(path: Path) -> Tokenizer:
    return Tokenizer(byte_level_vocabulary(path))
