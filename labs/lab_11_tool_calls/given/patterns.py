"""Texts as patterns."""


def literally(text: str) -> str:
    """Return a pattern that matches this text alone.

    >>> literally("1.5 (a|b)")
    '1\\\\.5 \\\\(a\\\\|b\\\\)'
    """
    return "".join(f"\\{char}" if char in r".^$*+?{}[]\|()" else char for char in text)
