"""Vocabularies: token ids, and the bytes that each id stands for."""

import base64
import json
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path

from labkit.installing import install_command

Token = bytes

_FEW = 32
"""A ``repr`` lists the tokens of a vocabulary of up to this size."""

SMALL_TOKENS = Path(__file__).parent / "small_model" / "data" / "tokens.json"
"""The merged tokens that the small model was trained with."""

SMALL_SPECIAL = ("<|end|>", "<|user|>", "<|assistant|>", "[TOOL_CALLS]")
"""The small model's special tokens, which have the last ids; the first of them is EOS."""


class Vocabulary:
    """The tokens of a model, as bytes.

    Args:
        token_bytes: the bytes of each token; its index is the token id.
        eos_id: the id of the end-of-sequence token, which is always special.
        special_ids: ids of control tokens. Their bytes are names, never text: no mask may allow them, except
            EOS by its own rule. The EOS id may be listed or not.

    Raises:
        ValueError: if there is no token, or an id lies outside the vocabulary.

    >>> vocabulary = Vocabulary([b"hi", b"\\xe2\\x82", b"</s>"], eos_id=2)
    >>> len(vocabulary), vocabulary.eos_id, sorted(vocabulary.special_ids)
    (3, 2, [2])
    >>> vocabulary.texts()
    ('hi', None, None)
    """

    def __init__(self, token_bytes: Sequence[Token], *, eos_id: int, special_ids: Iterable[int] = ()) -> None:
        self.token_bytes: tuple[Token, ...] = tuple(token_bytes)
        self.eos_id = eos_id
        self.special_ids = frozenset(special_ids) | {eos_id}
        if not self.token_bytes:
            raise ValueError("a vocabulary needs at least one token")
        if outside := sorted(i for i in self.special_ids if not 0 <= i < len(self.token_bytes)):
            raise ValueError(f"special or EOS ids {outside} lie outside a vocabulary of {len(self.token_bytes)} tokens")

    def __len__(self) -> int:
        """Return the number of token ids, special ones included: V."""
        return len(self.token_bytes)

    def __repr__(self) -> str:
        """Return the call that makes it; for a large vocabulary only its numbers.

        >>> Vocabulary([b"1", b"<s>", b"</s>"], eos_id=2, special_ids=[1])
        Vocabulary([b'1', b'<s>', b'</s>'], eos_id=2, special_ids=[1, 2])
        >>> Vocabulary.bytes()
        <Vocabulary of 257 tokens, EOS 256, 1 special>
        """
        if len(self) > _FEW:
            return f"<Vocabulary of {len(self):,} tokens, EOS {self.eos_id}, {len(self.special_ids):,} special>"
        return f"Vocabulary({list(self.token_bytes)}, eos_id={self.eos_id}, special_ids={sorted(self.special_ids)})"

    def texts(self) -> tuple[str | None, ...]:
        """Return the text of each token, or None for special tokens and for bytes that are not a whole UTF-8 text.

        >>> Vocabulary.toy().texts()
        ('a', '.', '.2', '1', None)
        """
        return self._texts

    @cached_property
    def _texts(self) -> tuple[str | None, ...]:
        return tuple(
            None if token_id in self.special_ids else _text_or_none(token)
            for token_id, token in enumerate(self.token_bytes)
        )

    def decode(self, token_ids: Iterable[int]) -> str:
        """Return the text of a sequence of ids; special tokens add nothing, invalid UTF-8 becomes U+FFFD.

        >>> Vocabulary.toy().decode([3, 2, 4])
        '1.2'
        """
        joined = b"".join(self.token_bytes[i] for i in token_ids if i not in self.special_ids)
        return joined.decode("utf-8", errors="replace")

    @classmethod
    def toy(cls) -> "Vocabulary":
        """Return four tokens that can be checked by hand, ``a . .2 1``, and EOS as id 4.

        >>> Vocabulary.toy().token_bytes
        (b'a', b'.', b'.2', b'1', b'</s>')
        """
        return cls([b"a", b".", b".2", b"1", b"</s>"], eos_id=4)

    @classmethod
    def bytes(cls) -> "Vocabulary":
        """Return the 256 bytes, and EOS as id 256.

        >>> Vocabulary.bytes().decode([207, 128, 256])
        'π'
        """
        return cls([*(bytes([i]) for i in range(256)), b"</s>"], eos_id=256)

    @classmethod
    def tekken(cls) -> "Vocabulary":
        """Return the 131,072 tokens of Mistral's Tekken tokenizer, read as data from the package ``mistral-common``.

        Ids 0 to 999 are special (2 is EOS, ``</s>``); id 1000 + r is the token of rank r.

        Raises:
            FileNotFoundError: if the package, or the file in it, is not installed.
        """
        path = data_file("tekken_240911.json", "the Tekken vocabulary")
        content = json.loads(path.read_text(encoding="utf-8"))
        n_special = int(content["config"]["default_num_special_tokens"])
        n_ranks = int(content["config"]["default_vocab_size"]) - n_special
        ranks = content["vocab"][:n_ranks]
        if [entry["rank"] for entry in ranks] != list(range(n_ranks)):
            raise ValueError(f"{path} does not list its ranks 0 to {n_ranks - 1} in order")
        special = [f"<SPECIAL_{i}>".encode() for i in range(n_special)]
        special[:3] = [b"<unk>", b"<s>", b"</s>"]
        return cls(
            special + [base64.b64decode(entry["token_bytes"]) for entry in ranks],
            eos_id=2,
            special_ids=range(n_special),
        )

    @classmethod
    def sentencepiece(cls) -> "Vocabulary":
        """Return the 32,768 tokens of version 3 of Mistral's SentencePiece model, from the package ``mistral-common``.

        Ids 0, 1 and 2 are ``<unk>``, ``<s>`` and ``</s>`` (EOS); the ids up to 750 are other control tokens. Ids 771
        to 1026 are the 256 byte tokens. Two ids may have the same bytes: the byte token ``<0x41>`` and the piece
        ``A``. The tokenizer's piece for the first word of a text starts with a space.

        >>> real = Vocabulary.sentencepiece()
        >>> len(real), real.token_bytes[771 + 0x41], real.token_bytes[1027:1031]
        (32768, b'A', (b'  ', b'    ', b' t', b'in'))

        Raises:
            FileNotFoundError: if the package, or the file in it, is not installed.
        """
        from labkit.sentencepieces import read_pieces  # a compiled library, which most runs can do without

        path = data_file("mistral_instruct_tokenizer_240323.model.v3", "the SentencePiece vocabulary")
        token_bytes, special_ids, eos_id = read_pieces(path)
        return cls(token_bytes, eos_id=eos_id, special_ids=special_ids)

    @classmethod
    def small(cls) -> "Vocabulary":
        """Return the 1,024 tokens of the course's small model, some of which straddle JSON's punctuation.

        Ids 0 to 255 are the bytes; the last four are special, the first of them is EOS. Every call returns the same
        object.

        >>> small = Vocabulary.small()
        >>> len(small), small.token_bytes[small.eos_id], small.token_bytes.index(b'": "')
        (1024, b'<|end|>', 262)
        """
        return byte_level_vocabulary(SMALL_TOKENS)


def _text_or_none(token: bytes) -> str | None:
    try:
        return token.decode("utf-8")
    except UnicodeDecodeError:
        return None


@cache
def byte_level_vocabulary(path: Path) -> Vocabulary:
    """Return the 256 bytes, the merged tokens of a file in order of rank, and the special tokens as one vocabulary.

    Args:
        path: a JSON list of strings, whose characters U+0000 to U+00FF stand for bytes.

    Raises:
        ValueError: if the file is missing or is not such a list.

    >>> byte_level_vocabulary(SMALL_TOKENS).token_bytes[255:258]
    (b'\\xff', b' "', b'":')
    """
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
    tokens = [*(bytes([i]) for i in range(256)), *(token.encode("latin-1") for token in merged)]
    special_ids = range(len(tokens), len(tokens) + len(SMALL_SPECIAL))
    tokens += [text.encode() for text in SMALL_SPECIAL]
    return Vocabulary(tokens, eos_id=special_ids[0], special_ids=special_ids)


def data_file(name: str, what: str) -> Path:
    """Return the path of a data file of ``mistral-common`` without importing the package, which takes a second.

    Args:
        name: the file's name in the package's folder ``data``.
        what: what to call it in the error.

    Raises:
        FileNotFoundError: if the package, or the file in it, is not installed.

    >>> data_file("tekken_240911.json", "the Tekken vocabulary").name
    'tekken_240911.json'
    """
    spec = find_spec("mistral_common")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder) / "data" / name
        if path.is_file():
            return path
    raise FileNotFoundError(f"{what} is not installed: {install_command(['requirements.txt'])}")
