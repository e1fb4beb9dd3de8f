"""The small model's tokenizer: byte-level BPE of 1,024 tokens, some of which straddle JSON's punctuation."""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import tiktoken

from labkit.vocabulary import Vocabulary

TOKENS = Path(__file__).parent / "data" / "tokens.json"
"""The merged tokens that the small model was trained with."""

PATTERN = r" ?{w}+|[0-9]{{1,2}}|{p}+(?= {w})|{p}+".format(
    w=r"[^\x00-\x40\x5B-\x60\x7B-\x7F]", p=r"[\x00-\x2F\x3A-\x40\x5B-\x60\x7B-\x7F]"
)
"""How a text is cut before tokens are merged: words with the space before them, pairs of digits, runs of punctuation
and space. What is not ASCII counts as a letter, so that no version of Unicode has a say."""

SPECIAL = ("<|end|>", "<|user|>", "<|assistant|>", "[TOOL_CALLS]")
"""The special tokens, the last of the ids; the first of them is EOS."""


class Tokenizer:
    """Text to token ids and back.

    Ids 0 to 255 are the bytes, then come the merges in the order of their training, then the special tokens.

    Args:
        merged: the bytes of each merged token, in order of rank.

    >>> tokenizer = Tokenizer.load()
    >>> tokenizer.decode(tokenizer.encode('{"city": "Zürich"}'))
    '{"city": "Zürich"}'
    """

    def __init__(self, merged: Iterable[bytes]) -> None:
        tokens = [*(bytes([i]) for i in range(256)), *merged]
        self.special_ids = {text: len(tokens) + place for place, text in enumerate(SPECIAL)}
        self.eos_id = self.special_ids[SPECIAL[0]]
        self.vocabulary = Vocabulary(
            [*tokens, *(text.encode() for text in SPECIAL)], eos_id=self.eos_id, special_ids=self.special_ids.values()
        )
        ranks = {token: rank for rank, token in enumerate(tokens)}
        self._bpe = tiktoken.Encoding(
            "small", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens=dict(self.special_ids)
        )

    @classmethod
    def load(cls, path: Path = TOKENS) -> "Tokenizer":
        """The tokenizer that the small model was trained with; one object for each file.

        Raises:
            ValueError: if the file is missing or is no list of tokens.
        """
        return _load(path)

    def encode(self, text: str) -> list[int]:
        """The ids of a text. The names of special tokens, where a text has them, are text like any other.

        Raises:
            ValueError: if the text has half a surrogate pair in it, which no UTF-8 can say.

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
        """The text of ids; broken UTF-8 becomes U+FFFD.

        Args:
            special: whether special tokens show their names; else they add nothing.

        >>> Tokenizer.load().decode([72, 105, 1020], special=True)
        'Hi<|end|>'
        """
        if not special:
            return self.vocabulary.decode(ids)
        return b"".join(self.vocabulary.token_bytes[i] for i in ids).decode("utf-8", errors="replace")

    def prompt(self, text: str) -> list[int]:
        """What the model is given: ``<|user|>``, the text, ``<|assistant|>``.

        >>> Tokenizer.load().prompt("Hi")[::2]
        [1021, 1022]
        """
        return [self.special_ids["<|user|>"], *self.encode(text), self.special_ids["<|assistant|>"]]

    def answer(self, text: str) -> list[int]:
        """What the model is trained to write: the text and EOS. ``[TOOL_CALLS]`` in it is meant as the special token.

        >>> Tokenizer.load().answer("[TOOL_CALLS] [")[0]
        1023
        """
        called = SPECIAL[3]
        first, *others = text.split(called)
        after = (token_id for part in others for token_id in [self.special_ids[called], *self.encode(part)])
        return [*self.encode(first), *after, self.eos_id]


@cache
def _load(path: Path) -> Tokenizer:
    try:
        merged = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"the tokens of the small model are missing: {path}") from None
    except ValueError as error:
        raise ValueError(f"{path} is no JSON: {error}") from None
    if not isinstance(merged, list) or not all(
        isinstance(token, str) and token > "" and max(token) < "\u0100" for token in merged
    ):
        raise ValueError(f"{path} has to be a list of tokens, each a string of characters U+0000 to U+00FF")
    return Tokenizer(token.encode("latin-1") for token in merged)
