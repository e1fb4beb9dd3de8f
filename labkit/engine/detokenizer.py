"""From tokens to text while they arrive: half characters wait, and no part of a stop string is ever sent."""

import codecs
from collections.abc import Sequence


class Detokenizer:
    """The text of one request as it grows.

    Args:
        stop: strings that end the text.

    Attributes:
        stopped_by: the stop string that was complete first, or None.

    >>> text = Detokenizer(stop=["END"])
    >>> text.add(b"one E"), text.add(b"go EN"), text.add(b"D two"), text.stopped_by
    ('one ', 'Ego ', '', 'END')
    """

    def __init__(self, stop: Sequence[str] = ()) -> None:
        self._stop = tuple(stop)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""
        self.stopped_by: str | None = None

    def add(self, token: bytes) -> str:
        """Return the text that can be sent after this token.

        >>> text = Detokenizer()
        >>> text.add(b"\\xc3"), text.add(b"\\xa9!")
        ('', 'é!')
        """
        return self._released(self._held + self._decoder.decode(token))

    def finish(self) -> str:
        """Return what was held back, at the end of a request; half a character becomes U+FFFD. Nothing
        follows a stop string.

        >>> text = Detokenizer(stop=["END"])
        >>> text.add(b"EN\\xc3"), text.finish()
        ('', 'EN\\ufffd')
        """
        if self.stopped_by is not None:
            return ""
        text = self._released(self._held + self._decoder.decode(b"", final=True))
        held, self._held = self._held, ""
        return text + held

    def _released(self, text: str) -> str:
        """Cut the text at a stop string, or hold back the part at its end that may become one."""
        ends = [(place + len(stop), -len(stop), stop) for stop in self._stop if (place := text.find(stop)) >= 0]
        if ends:
            # The string that is complete first wins, however the tokens cut the text; of two, the longer one.
            end, minus_length, self.stopped_by = min(ends)
            self._held = ""
            return text[: end + minus_length]
        starts = (stop[:size] for stop in self._stop for size in range(min(len(stop), len(text)), 0, -1))
        longest = max((len(start) for start in starts if text.endswith(start)), default=0)
        self._held = text[len(text) - longest :]
        return text[: len(text) - longest]
