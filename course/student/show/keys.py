"""Single keys from a terminal, as the names of what they do."""

import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

KEYS = {
    **dict.fromkeys((" ", "\r", "\n", "right", "n", "l"), "next"),
    **dict.fromkeys(("left", "b", "h", "\x7f", "\b"), "back"),
    **dict.fromkeys(("q", "Q", "esc", ""), "quit"),
    "r": "restart",
    "?": "help",
}
"""The empty key is the end of the input."""


def posix_keys(read: Callable[[], str], more: Callable[[], bool]) -> Iterator[str]:
    """Names of keys from characters; ``more`` says whether another one has come at once, as after an escape.

    >>> chars = iter(["\\x1b", "[", "C", "z", "q"])
    >>> list(posix_keys(lambda: next(chars), lambda: True))
    ['next', 'other', 'quit']
    """
    while True:
        key = read()
        if key == "\x1b":
            key = _escaped(read) if more() else "esc"
        name = KEYS.get(key, "other")
        yield name
        if name == "quit":
            return


def _escaped(read: Callable[[], str]) -> str:
    """The key after an escape: an arrow is ``ESC [ C`` or ``ESC O C``, others end with a letter or a tilde."""
    if read() not in "[O":
        return "other"
    char = read()
    while char and not "@" <= char <= "~":
        char = read()
    return {"C": "right", "D": "left"}.get(char, "other")


def windows_keys(read: Callable[[], str]) -> Iterator[str]:
    """The same from ``msvcrt.getwch``, which gives two characters for an arrow.

    >>> chars = iter(["\\xe0", "M", "\\x00", "K", "\\x1b"])
    >>> list(windows_keys(lambda: next(chars)))
    ['next', 'back', 'quit']
    """
    while True:
        key = read()
        if key == "\x03":
            raise KeyboardInterrupt
        if key in ("\x00", "\xe0"):
            key = {"M": "right", "K": "left"}.get(read(), "other")
        name = KEYS.get("esc" if key == "\x1b" else key, "other")
        yield name
        if name == "quit":
            return


@contextmanager
def terminal_keys() -> Iterator[Iterator[str]]:
    """The keys of the terminal that standard input is. Afterwards it is as it was, whatever happens."""
    if sys.platform == "win32":
        import msvcrt

        yield windows_keys(msvcrt.getwch)
    else:
        import termios
        import tty

        descriptor = sys.stdin.fileno()
        before = termios.tcgetattr(descriptor)
        try:
            tty.setcbreak(descriptor)  # Ctrl-C still interrupts
            yield posix_keys(lambda: _char(descriptor), lambda: _waiting(descriptor))
        finally:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _char(descriptor: int) -> str:
    return os.read(descriptor, 1).decode("latin-1")


def _waiting(descriptor: int) -> bool:
    """Whether another byte follows at once; a person who presses Esc alone is slower than that."""
    return bool(select.select([descriptor], [], [], 0.05)[0])
