"""A guide that can be walked byte by byte too, which is how jumps find forced text; and one made of functions."""

from collections.abc import Callable
from typing import Any, Protocol

from labs.lab_09_inside_an_engine.given.guides import Guide, GuideOfFunctions

__all__ = ["ByteGuide", "ByteGuideOfFunctions", "Guide", "GuideOfFunctions"]


class ByteGuide(Guide, Protocol):
    """A guide that can also be walked byte by byte; ``mask_engine.Guide`` is one.

    >>> from labkit.vocabulary import Vocabulary
    >>> from mask_engine import compile_guide
    >>> guide: ByteGuide = compile_guide(Vocabulary.toy(), regex="é|è")
    >>> begun = guide.after_byte(guide.initial, 0xC3)  # the first byte of both
    >>> guide.next_bytes(guide.initial), guide.next_bytes(begun), guide.is_whole(begun)
    (b'\\xc3', b'\\xa8\\xa9', False)
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

    >>> from labs.lab_09_inside_an_engine.given.guides import example_guide
    >>> asked = []
    >>> guide = ByteGuideOfFunctions(example_guide(), asked.append, lambda state, byte: state + 1, lambda state: True)
    >>> guide.next_bytes(guide.initial), asked, guide.after_byte(guide.initial, 49)
    (None, [0], 1)
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
