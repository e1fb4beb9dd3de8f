"""The colours of everything that the course draws: pictures, pages, the book. A meaning has one colour everywhere.

Each has a value for light pages and one for dark ones. As text it has a contrast of at least 4.5:1 on all three
backgrounds: ``back``, ``fill`` and ``lit``. A terminal has colours of its own, so we ask it for *its* green and red.
"""

from typing import NamedTuple


class Colour(NamedTuple):
    """A colour on light pages and on dark ones."""

    light: str
    dark: str


INK = Colour("#1f2328", "#e6edf3")
MUTED = Colour("#59636e", "#a5aeb8")
ACCENT = Colour("#3f4fc4", "#9db0ff")
"""Where a walk goes, what has the focus, and links."""
ALLOWED = Colour("#006a72", "#46c8cf")
"""What a mask leaves: petrol, which those who confuse red and green see as blue."""
STRUCK = Colour("#b5360f", "#ff9270")
"""What a mask takes away: vermilion, and always with a line through its text, or hatched."""

PAGE = Colour("#ffffff", "#0d1117")
BACK = Colour("#ffffff", "#161b22")
"""Of pictures, and of what can be touched."""
FILL = Colour("#f6f8fa", "#21262d")
LIT = Colour("#ffe08a", "#4f3d00")
"""Behind what is chosen, or where we are."""
RIM = Colour("#8a5a00", "#e8b04a")
"""Around it."""
LINE = Colour("#d0d7de", "#3d444d")
GRID = Colour("#e6e9ed", "#2a3038")
EDGE = Colour("#424a53", "#b1bac4")
"""Around boxes and states."""

SERIES = (
    Colour("#2d62a8", "#7fb2f0"),
    Colour("#8a5a00", "#e8b04a"),
    Colour("#7b4bb5", "#c9a3f5"),
    Colour("#4a5560", "#b7c0c9"),
    Colour("#a3437a", "#f0a3cf"),
)
"""For what is only compared: neither petrol nor vermilion, which mean something."""

NAMED = {
    "ink": INK,
    "muted": MUTED,
    "accent": ACCENT,
    "allowed": ALLOWED,
    "struck": STRUCK,
    "page": PAGE,
    "back": BACK,
    "fill": FILL,
    "lit": LIT,
    "rim": RIM,
    "line": LINE,
    "edge": EDGE,
}
"""The colours that a style sheet can name, as ``var(--ink)``."""

TERMINAL = {"allowed": "green", "struck": "red", "struck out": "red strike"}
"""Rich's styles for the same meanings."""


def variables(scheme: str) -> str:
    """Return the named colours as declarations of CSS variables.

    Args:
        scheme: ``light`` or ``dark``.

    >>> variables("dark").split("; ")[0]  # ink is light where the paper is dark
    '--ink:#e6edf3'
    """
    return "; ".join(f"--{name}:{getattr(colour, scheme)}" for name, colour in NAMED.items())


def either_way() -> str:
    """Return the same declarations for a page of its own, whose colours follow the reader's system.

    >>> either_way().split("; ")[0]
    '--ink:light-dark(#1f2328, #e6edf3)'
    """
    return "; ".join(f"--{name}:light-dark({colour.light}, {colour.dark})" for name, colour in NAMED.items())
