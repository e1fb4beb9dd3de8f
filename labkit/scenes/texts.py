"""The text generated so far: a ``str``, or bytes where it ends in the middle of a character."""

Written = str | bytes


def written(raw: bytes) -> Written:
    r"""Return the bytes as a text if they are one.

    >>> written(b"\xe2\x82\xac"), written(b"\xe2\x82")
    ('€', b'\xe2\x82')
    """
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def raw_bytes(text: Written) -> bytes:
    """Return the bytes again."""
    return text if isinstance(text, bytes) else text.encode()


def whole_text(text: Written) -> str:
    """Return a text for labs that read characters: what is no character becomes U+FFFD."""
    return text.decode(errors="replace") if isinstance(text, bytes) else text
