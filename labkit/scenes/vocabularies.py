"""Vocabularies that fit on a screen."""

from labkit.vocabulary import Vocabulary

_TEXTS = (
    *("0", "1", "2", "7", "a", "f", "x", "q", "@", ".", ",", "!", '"', "\n", "é"),
    *("0x", "0xg", "x1", "1f", "ff", "42", "2024", ".5", "3.", " the", " Sure"),
)
VOCABULARY = Vocabulary([*(text.encode() for text in _TEXTS), b"\xe2\x82", b"</s>"], eos_id=len(_TEXTS) + 1)
"""26 tokens with a text, one that is half a character, and EOS."""

_HALVES = (b"\xe2", b"\xc3", b"\xa9", b"\xac", b"\x82\xac", b" \xe2\x82", b"1", b"", b"7")
BYTE_VOCABULARY = Vocabulary(
    [*VOCABULARY.token_bytes, *_HALVES],
    eos_id=VOCABULARY.eos_id,
    special_ids=[len(VOCABULARY) + len(_HALVES) - 1],
)
"""The same and more, for labs over bytes: parts of é and €, a second ``1``, one without bytes, and a special ``7``."""
