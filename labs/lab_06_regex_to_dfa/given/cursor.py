"""A place in a pattern that moves to the right. The pattern has passed ``check_pattern``, so nothing ends too early."""

from dataclasses import dataclass, field

from labkit.errors import UnsupportedPattern


@dataclass(frozen=True)
class Flags:
    """The inline flags in force at a place: ``i``, ``s``, ``x`` and ``a``. (``m`` and ``u`` change nothing here.)"""

    ignore_case: bool = False
    dot_all: bool = False
    verbose: bool = False
    ascii_only: bool = False


@dataclass
class Cursor:
    """The pattern, how far it is read, and the flags of the open groups, the innermost last.

    >>> cursor = Cursor("ab{2}", [Flags()])
    >>> cursor.take(), cursor.starts_with("b{"), cursor.skip("b{"), cursor.take_until("}"), cursor.position
    ('a', True, True, '2', 5)
    """

    pattern: str
    open_flags: list[Flags] = field(default_factory=lambda: [Flags()])
    position: int = 0

    @property
    def flags(self) -> Flags:
        """The flags in force here."""
        return self.open_flags[-1]

    @property
    def at_end(self) -> bool:
        """Whether everything is read."""
        return self.position >= len(self.pattern)

    def starts_with(self, text: str) -> bool:
        """Return whether the rest starts with that text."""
        return self.pattern.startswith(text, self.position)

    def take(self, count: int = 1) -> str:
        """Read some characters, and return them."""
        self.position += count
        return self.pattern[self.position - count : self.position]

    def skip(self, text: str) -> bool:
        """Read that text if it comes next; return whether it did."""
        found = self.starts_with(text)
        self.position += len(text) * found
        return found

    def take_until(self, stop: str) -> str:
        """Read up to a character and past it; return the text before it."""
        end = self.pattern.index(stop, self.position)
        text = self.pattern[self.position : end]
        self.position = end + 1
        return text

    def skip_comment(self, stop: str) -> None:
        r"""Go past the character that ends a comment. As in ``re``, a backslash hides the one after it.

        >>> cursor = Cursor(r"a\)b)c", position=1)
        >>> cursor.skip_comment(")")
        >>> cursor.position
        5
        """
        while not self.at_end:
            char = self.take(2 if self.starts_with("\\") else 1)
            if char == stop:
                return

    def take_while(self, chars: str, most: int | None = None) -> str:
        """Read characters as long as they are among ``chars``, at most ``most`` of them."""
        start = self.position
        limit = len(self.pattern) if most is None else min(len(self.pattern), start + most)
        while self.position < limit and self.pattern[self.position] in chars:
            self.position += 1
        return self.pattern[start : self.position]

    def unsupported(self, construct: str, position: int) -> UnsupportedPattern:
        """Return the error for a construct that no finite automaton supports, or not this lab."""
        return UnsupportedPattern(f"{construct} is not supported", self.pattern, position)
