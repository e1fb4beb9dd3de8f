"""The oracle that decides which engine is right: the module ``regex`` says whether a prefix is viable.

It shares no code with any engine. It works on text, so a token that ends within a character is allowed if one of the
characters that start with these bytes is.
"""

import codecs
import sys
from bisect import bisect_right
from functools import cache, lru_cache

import regex


class Oracle:
    """Partial matches of one pattern.

    >>> oracle = Oracle("[é-ü]x")
    >>> oracle.allows(b"", b"\\xc3"), oracle.allows(b"\\xc3", b"\\xbcx"), oracle.allows(b"", b"x")
    (True, True, False)
    >>> oracle.accepts(b"\\xc3\\xa9x"), oracle.accepts(b"\\xc3")
    (True, False)
    """

    def __init__(self, pattern: str) -> None:
        self._pattern = regex.compile(pattern)
        self._viable = lru_cache(maxsize=None)(self._text_and_tail)

    def allows(self, prefix: bytes, token: bytes) -> bool:
        """Return whether some match starts with the bytes of prefix and token; the empty token is never allowed."""
        parts = split_text(prefix + token)
        return bool(token) and parts is not None and self._viable(*parts)

    def accepts(self, prefix: bytes) -> bool:
        """Return whether the prefix is a match, so that EOS may follow."""
        parts = split_text(prefix)
        return parts is not None and not parts[1] and self._pattern.fullmatch(parts[0]) is not None

    def _text_and_tail(self, text: str, tail: bytes) -> bool:
        candidates = (text + char for char in characters(tail)) if tail else (text,)
        return any(self._pattern.fullmatch(each, partial=True) is not None for each in candidates)


def split_text(data: bytes) -> tuple[str, bytes] | None:
    """Return whole characters, and the bytes of one cut at the end; None if no UTF-8 text starts with these bytes.

    >>> split_text(b"a\\xc3"), split_text(b"\\xc3a"), split_text(b"\\xe0\\x80")
    (('a', b'\\xc3'), None, None)
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        return decoder.decode(data), decoder.getstate()[0]
    except UnicodeDecodeError:
        return None


def characters(tail: bytes) -> list[str]:
    """Return the characters whose UTF-8 starts with these bytes, and is longer.

    >>> "".join(characters(b"\\xc3"))[:4], len(characters(b"\\xf0")), len(characters(b"\\xed"))
    ('ÀÁÂÃ', 196608, 2048)
    """
    encoded = _all_encoded()
    start, end = bisect_right(encoded, tail), bisect_right(encoded, tail + b"\xff")
    return [each.decode() for each in encoded[start:end]]


@cache
def _all_encoded() -> list[bytes]:
    """Return the UTF-8 of every character; the order of code points is that of their bytes."""
    return [chr(code).encode() for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
