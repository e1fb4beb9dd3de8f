"""Showing answers while they are written: on a terminal token by token, elsewhere when they are done."""

import time
from collections.abc import Callable
from typing import Protocol

from rich.console import Console
from rich.live import Live
from rich.padding import Padding
from rich.text import Text

from course.showcase.demo.columns import column_width, fold, judged, side_by_side, wrap
from course.showcase.demo.results import Pair

PACE = 0.008
"""Seconds that a terminal waits behind each token, so that a person can follow."""

Tell = Callable[[int, str], object]
"""``tell(side, text so far)``; side 0 is the free answer."""

Play = Callable[[Tell], Pair]

MASKED = "with the mask"


class Audience(Protocol):
    """Whoever watches answers being written."""

    def watch(self, checkpoint: str, prompt: str, asked: str, play: Play) -> Pair:
        """Have a pair of answers written."""


class Nobody:
    """For a recording."""

    def watch(self, checkpoint: str, prompt: str, asked: str, play: Play) -> Pair:
        """Have a pair of answers written."""
        return play(lambda side, text: None)


class Screen:
    """A console.

    Args:
        pace: seconds to wait behind each token, on a terminal alone.
    """

    def __init__(self, console: Console, pace: float = PACE) -> None:
        self._console = console
        self._pace = pace
        self._width = column_width(console.width)

    @property
    def moves(self) -> bool:
        """Whether tokens can be shown as they come."""
        return self._console.is_terminal and not self._console.is_dumb_terminal

    def watch(self, checkpoint: str, prompt: str, asked: str, play: Play) -> Pair:
        """Show the prompt, then the answers while they are written, then the verdicts."""
        self._opening(checkpoint, prompt, asked)
        if not self.moves:
            pair = play(lambda side, text: None)
            self._print(self._finished(pair))
            return pair
        texts = ["", ""] if asked else [""]
        with Live(console=self._console, auto_refresh=False) as live:

            def tell(side: int, text: str) -> None:
                texts[side] = text
                live.update(self._growing(texts), refresh=True)
                time.sleep(self._pace)

            pair = play(tell)
            live.update(self._finished(pair), refresh=True)
        self._console.print()
        return pair

    def _opening(self, checkpoint: str, prompt: str, asked: str) -> None:
        width, encoding = min(self._console.width, 2 * self._width + 4), self._console.encoding
        told = [("prompt", prompt), ("asked for", asked)]
        for label, text in told if asked else told[:1]:
            for number, line in enumerate(wrap(text or "(nothing)", max(8, width - 11), encoding)):
                head = Text(f"{label if not number else '':11}", "dim")
                self._console.print(head.append(line, "not dim bold" if label == "prompt" else "not dim"))
        self._console.print(Text(f"{'model':11}checkpoint {checkpoint}", "dim"))

    def _growing(self, texts: list[str]) -> Padding:
        lines = [fold(text, self._width, self._console.encoding) for text in texts]
        return self._columns(lines)

    def _finished(self, pair: Pair) -> Padding:
        answers = [pair.free, pair.masked] if pair.masked else [pair.free]
        encoding, form = self._console.encoding, bool(pair.asked)
        return self._columns([judged(said, self._width, encoding, form=form) for said in answers])

    def _columns(self, lines: list[list[Text]]) -> Padding:
        headings = ["without a mask", MASKED][: len(lines)]
        return Padding(side_by_side(headings, lines, self._width), (0, 0, 0, 2))

    def _print(self, columns: Padding) -> None:
        self._console.print(columns, soft_wrap=False)
        self._console.print()
