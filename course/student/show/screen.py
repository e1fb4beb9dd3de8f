"""Where the frames appear: on the whole screen of a terminal, or printed one below the other."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack

from rich.console import Console
from rich.control import Control
from rich.text import Text

from course.student.show.frames import Frame
from course.student.show.keys import terminal_keys
from course.student.show.picture import WIDTH, Painter
from course.student.show.playing import KEYS_LINE, play


def has_keys(console: Console) -> bool:
    """Whether somebody sits there: a terminal to draw on, and one to read keys from."""
    return console.is_terminal and not console.is_dumb_terminal and sys.stdin is not None and sys.stdin.isatty()


def print_all(frames: Iterator[Frame], painter: Painter, console: Console) -> None:
    """Every frame as plain text, with an empty line between two."""
    for frame in frames:
        for line in [Text(), *painter.lines(frame)][frame.number == 1 :]:
            console.print(Text(line.plain), soft_wrap=True)


def on_screen(
    start: Callable[[], Iterator[Frame]], painter: Painter, console: Console, keys: Iterable[str] | None
) -> None:
    """Full screen, driven by keys. The terminal gets its own screen and its settings back, whatever happens."""
    with ExitStack() as stack:
        pressed = stack.enter_context(terminal_keys()) if keys is None else keys
        screen = stack.enter_context(console.screen())

        def draw(lines: list[Text]) -> None:
            console.control(Control.home())  # else each picture would push the one before up, line by line
            screen.update(Text("\n", no_wrap=True, overflow="crop").join(_fitted(lines, console)))

        play(start, pressed, painter.lines, draw)


def _fitted(lines: list[Text], console: Console) -> list[Text]:
    """Lines for the whole height: in a low window first the empty ones go. At the bottom the keys."""
    room = max(console.height, 2) - 1
    if len(lines) > room:
        lines = [line for line in lines if line.plain]
    kept = lines[:room] + [Text()] * (room - len(lines))
    return [*kept, Text(KEYS_LINE[:WIDTH], "reverse")]
