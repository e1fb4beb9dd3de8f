"""Going through the frames: by keys, back and forth, or all of them one below the other."""

from collections.abc import Callable, Iterable, Iterator

from rich.text import Text

from course.student.show.frames import Frame

KEYS_LINE = "right/space next   left/b back   r again, from your file   ? help   q quit"

HELP = """\
The loop of constrained generation, a step at a time, with your own functions.

the model wants   its favourite tokens, with their probabilities
the mask leaves   the same tokens under your mask, and the favourites among what
                  is left; "struck" where your mask forbids a token
word 0            labs 07 and 14: the packed mask, the lowest bit right, a dot
                  where there is no token; below it the tokens whose bits are 1
EOS               whether your mask lets the generation stop here
chosen            the token that was emitted, marked by > in the table, and the
                  random number u that decided
wrong             the chosen token is not legal, and where the text dies

right, space, enter   next step           left, b   back
r   load your file again, and begin       q, Esc    quit
Any key leads back from here."""


class Reel:
    """The frames so far, and those still to come."""

    def __init__(self, frames: Iterator[Frame]) -> None:
        self._coming = frames
        self._seen: list[Frame] = []

    def nearest(self, position: int) -> int:
        """This position, or the last one that there is before it."""
        while len(self._seen) <= position and (frame := next(self._coming, None)):
            self._seen.append(frame)
        return max(0, min(position, len(self._seen) - 1))

    def __getitem__(self, position: int) -> Frame:
        return self._seen[position]


def play(
    start: Callable[[], Iterator[Frame]],
    keys: Iterable[str],
    paint: Callable[[Frame], list[Text]],
    draw: Callable[[list[Text]], None],
) -> None:
    """Show a frame for every key, until there are no more keys or one of them quits.

    Args:
        start: begins the show, from the student's file as it is then.
        keys: ``next``, ``back``, ``restart``, ``help``, ``quit`` or anything else.
        draw: shows lines in place of those before.
    """
    reel = Reel(start())
    at = reel.nearest(0)
    draw(paint(reel[at]))
    asked = False
    for key in keys:
        if key == "quit":
            return
        if not asked and key == "restart":
            reel, at = Reel(start()), 0
        step = {"next": 1, "back": -1}.get(key, 0) if not asked else 0
        at = reel.nearest(max(0, at + step))
        asked = key == "help" and not asked
        draw([Text(line) for line in HELP.splitlines()] if asked else paint(reel[at]))
