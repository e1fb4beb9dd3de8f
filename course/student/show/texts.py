"""What has been written so far: a text, or bytes where it ends in the middle of a character."""

Written = str | bytes


def written(raw: bytes) -> Written:
    r"""As a text if the bytes are one.

    >>> written(b"\xe2\x82\xac"), written(b"\xe2\x82")
    ('€', b'\xe2\x82')
    """
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def raw_bytes(text: Written) -> bytes:
    """The bytes again."""
    return text if isinstance(text, bytes) else text.encode()


def whole_text(text: Written) -> str:
    """For labs that read characters: what is none becomes U+FFFD."""
    return text.decode(errors="replace") if isinstance(text, bytes) else text
