"""What a console can show: bars, tokens and texts, in ASCII alone where it has no more."""

from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.console import Console

_EIGHTHS = " ▏▎▍▌▋▊▉█"


@dataclass(frozen=True)
class Glyphs:
    """How things are written; without ``unicode`` in ASCII.

    >>> Glyphs(unicode=False).quoted("é\\n"), Glyphs(unicode=True).quoted(b"\\xe2")
    ("'\\\\xe9\\\\n'", "b'\\\\xe2'")
    """

    unicode: bool

    @classmethod
    def of(cls, console: Console) -> "Glyphs":
        """Return those that a console has."""
        try:
            (_EIGHTHS + "·").encode(console.encoding)
        except (UnicodeEncodeError, LookupError):
            return cls(unicode=False)
        return cls(unicode=True)

    @property
    def dot(self) -> str:
        """The mark between the parts of a heading."""
        return "·" if self.unicode else "|"

    def bar(self, share: float, cells: int) -> str:
        """Return a bar for a share of 1.

        >>> Glyphs(unicode=False).bar(0.5, 8), Glyphs(unicode=True).bar(0.55, 8)
        ('####', '████▍')
        """
        eighths = round(8 * cells * share)
        if not self.unicode:
            return "#" * round(eighths / 8)
        return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()

    def quoted(self, token: str | bytes) -> str:
        """Return a token as Python writes it."""
        return repr(token) if self.unicode else ascii(token)

    def plain(self, text: str) -> str:
        """Return a text on one line; what the console cannot show is escaped."""
        return "".join(c if c.isprintable() and (self.unicode or c.isascii()) else ascii(c)[1:-1] for c in text)

    def cut(self, text: str, width: int) -> str:
        """Return the text if it fits, else its start."""
        return text if cell_len(text) <= width else set_cell_size(text, width - 3) + "..."

    def tail(self, text: str, width: int) -> str:
        """Return the text if it fits, else its end."""
        while cell_len(text) > width:
            text = "..." + text.removeprefix("...")[max(1, cell_len(text) - width) :]
        return text
