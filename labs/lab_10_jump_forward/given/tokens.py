"""A vocabulary by its bytes, together with the model's own tokenizer."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from labkit.vocabulary import Vocabulary
from labs.lab_09_inside_an_engine.given.guides import allowed

Encode = Callable[[str], Sequence[int]]
"""The model's own tokenizer: a text to ids."""


class TokenBytes:
    """The tokens of a vocabulary by their bytes.

    Args:
        vocabulary: special tokens and tokens without bytes are left out. If two ids have the same bytes, the lower
            one counts.
        tokenizer: the model's own, from a text to ids; None where there is none.

    Attributes:
        ids: from the bytes of a token to its id.
        longest: how many bytes the longest token has.

    >>> tokens = TokenBytes(Vocabulary([b"a", b"ab", b"a", b"", b"</s>"], eos_id=4))
    >>> tokens.ids, tokens.longest, tokens.bytes_of([1, 0])
    ({b'a': 0, b'ab': 1}, 2, b'aba')
    """

    def __init__(self, vocabulary: Vocabulary, tokenizer: Encode | None = None) -> None:
        left_out = {*vocabulary.special_ids, vocabulary.eos_id}
        last_first = reversed([*enumerate(vocabulary.token_bytes)])
        self.ids: Mapping[bytes, int] = {token: i for i, token in last_first if token and i not in left_out}
        self.longest = max(map(len, self.ids), default=0)
        self.tokenizer = tokenizer
        self._token_bytes = [b"" if i in left_out else token for i, token in enumerate(vocabulary.token_bytes)]
        self._sizes = np.array([*map(len, self._token_bytes)])

    def bytes_of(self, token_ids: Sequence[int]) -> bytes:
        """Return the bytes of some tokens, joined; special tokens have none, because their bytes are only names.

        >>> TokenBytes(Vocabulary([b"a", b"</s>"], eos_id=1)).bytes_of([0, 1])
        b'a'
        """
        return b"".join(self._token_bytes[token_id] for token_id in token_ids)

    def longest_of(self, bitmask: NDArray[np.int32]) -> int:
        """Return how many bytes the longest token has whose bit is set; 0 if none is, or that of EOS alone.

        >>> TokenBytes(Vocabulary([b"a", b"ab", b"</s>"], eos_id=2)).longest_of(np.int32([5]))
        1
        """
        return int(self._sizes.max(initial=0, where=allowed(bitmask, len(self._sizes))))

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text, as the model's own tokenizer writes it.

        Raises:
            ValueError: if there is no tokenizer.

        >>> TokenBytes(Vocabulary.toy(), lambda text: [3] * len(text)).encode("11")
        [3, 3]
        """
        if self.tokenizer is None:
            raise ValueError("these tokens came without a tokenizer")
        return list(self.tokenizer(text))
