"""Whether other engines that are installed would let a text through: one line for each.

Each walks the text byte by byte, over a vocabulary whose tokens are single bytes, so all of them can name a place.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from course.showcase.bench.adapters import ENGINES, Buffer, Language, MaskEngine, installed
from labkit.vocabulary import Vocabulary

ASKED = {name: ENGINES[name] for name in ("xgrammar", "llguidance", "outlines-core")}
"""By name, what makes each engine ready, and the modules that it needs."""


def verdicts(asked: Sequence[tuple[str, Any, bytes, int]]) -> Iterator[tuple[str, str]]:
    """Yield each engine with what becomes of the first text that it refuses, or of the last.

    Args:
        asked: texts, each with a name for it and a pattern or schema before it, and after it where it begins.
    """
    vocabulary = Vocabulary.bytes()
    for name, (made, modules) in ASKED.items():
        if not installed(modules):
            yield name, "not installed"
            continue
        try:
            engine = made(vocabulary, lambda text: list(text.encode()))
        except BaseException as error:
            yield name, f"does not start: {_line(error)}"
            continue
        found = "nothing to ask"
        for each in asked:
            is_accepted, found = _verdict(engine, *each)
            if not is_accepted:
                break
        yield f"{name} {engine.version}", found


def _verdict(engine: MaskEngine, what: str, language: Language, text: bytes, start: int) -> tuple[bool, str]:
    buffer = Buffer(257)
    at = -1
    try:
        walk = engine.compile(language)(buffer)
        for at, byte in enumerate([*text, 256]):
            walk.fill()
            if not buffer.bits()[byte]:
                seen = text[at:].decode("utf-8", "replace")[:1]
                is_end = f"allows {what} so far, but not the end"
                return False, is_end if byte == 256 else f"refuses {what} at byte {start + at}: {seen!r}"
            if byte != 256:
                walk.advance(byte)
    except BaseException as error:
        place = f"breaks down in {what} at byte {start + at}" if at >= 0 else f"refuses the schema of {what}"
        return False, f"{place}: {_line(error)}"
    return True, f"accepts {what}"


def _line(error: BaseException) -> str:
    """Return an error as one line; a panic of an engine in Rust is no ``Exception``.

    >>> _line(ValueError("one\\n  two"))
    'one two'
    """
    if isinstance(error, KeyboardInterrupt | SystemExit):
        raise error
    return " ".join(str(error).split())[:200] or type(error).__name__
