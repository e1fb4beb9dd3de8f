"""A guide that can be walked byte by byte too, which is how jumps find forced text; and one made of functions."""

from collections.abc import Callable
from typing import Any, Protocol

from labs.lab_09_inside_an_engine.given.guides import Guide, GuideOfFunctions

__all__ = ["ByteGuide", "ByteGuideOfFunctions", "Guide", "GuideOfFunctions"]


class ByteGuide(Guide, Protocol):
    """A guide that can also be walked byte by byte; ``mask_engine.Guide`` is one.

    >>> guide: ByteGuide = ByteGuideOfFunctions(GuideOfFunctions(0, print, print, max, bool, int), bytes, max, bool)
    >>> guide.next_bytes(2)
    b'\\x00\\x00'
    """

    def next_bytes(self, state: Any) -> bytes:
        """Return the bytes that may come next, ascending; after each of them a match is possible."""

    def after_byte(self, state: Any, byte: int) -> Any:
        """Return the state after one of these bytes."""

    def is_whole(self, state: Any) -> bool:
        """Return whether the bytes so far are whole characters."""


class ByteGuideOfFunctions(GuideOfFunctions):
    """A guide whose answers are functions; the tests count how often each is called.

    Args:
        of_tokens: the answers of lab 09.
        next_bytes, after_byte, is_whole: see ``ByteGuide``.

    >>> of_tokens = GuideOfFunctions(0, print, print, max, bool, int)
    >>> guide = ByteGuideOfFunctions(of_tokens, lambda state: b"a", lambda state, byte: state + 1, lambda state: True)
    >>> guide.next_bytes(guide.initial), guide.after_byte(guide.initial, 97)
    (b'a', 1)
    """

    def __init__(
        self,
        of_tokens: GuideOfFunctions,
        next_bytes: Callable[[Any], bytes],
        after_byte: Callable[[Any, int], Any],
        is_whole: Callable[[Any], bool],
    ) -> None:
        vars(self).update(vars(of_tokens))
        self.next_bytes = next_bytes
        self.after_byte = after_byte
        self.is_whole = is_whole
