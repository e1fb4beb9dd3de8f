"""Whether other engines that are installed would let a text through: one line for each.

Each walks the text byte by byte, over a vocabulary whose tokens are single bytes, so all of them can name a place.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from course.showcase.bench.adapters import ENGINES, Buffer, Encode, Language, MaskEngine, Start, Walk
from labkit.vocabulary import Vocabulary


def outlines_core(vocabulary: Vocabulary, encode: Encode) -> MaskEngine:
    """Return outlines-core, which makes a regular expression of a schema, and an index of that.

    Its guide names the allowed tokens itself, so ``fill`` writes them into the bitmask one by one.
    """
    import outlines_core as oc

    tokens: dict[bytes, list[int]] = {}
    for token_id, token in enumerate(vocabulary.token_bytes):
        if token_id not in vocabulary.special_ids:
            tokens.setdefault(token, []).append(token_id)
    known = oc.Vocabulary(vocabulary.eos_id, tokens)

    def compile_(language: Language) -> Start:
        is_pattern = isinstance(language, str)
        pattern = language if is_pattern else oc.json_schema.build_regex_from_schema(json.dumps(language))
        index = oc.Index(pattern, known)

        def start(buffer: Buffer) -> Walk:
            guide = oc.Guide(index)

            def fill() -> None:
                buffer.words[:] = 0
                for token_id in guide.get_tokens():
                    buffer.words.view("uint32")[0, token_id // 32] |= 1 << token_id % 32

            def advance(token_id: int) -> bool:
                if is_allowed := guide.accepts_tokens([token_id]):
                    guide.advance(token_id)
                return bool(is_allowed)

            return Walk(fill, advance)

        return start

    return MaskEngine("outlines-core", version("outlines-core"), compile_)


ASKED: dict[str, tuple[Callable[[Vocabulary, Encode], MaskEngine], tuple[str, ...]]] = {
    **{name: made for name, made in ENGINES.items() if name != "ours"},
    "outlines-core": (outlines_core, ("outlines_core",)),
}
"""By name, what makes each engine ready, and the modules that it needs."""


def verdicts(asked: Sequence[tuple[str, Any, bytes, int]]) -> Iterator[tuple[str, str]]:
    """Yield each engine with what becomes of the first text that it refuses, or of the last.

    Args:
        asked: texts, each with a name for it and a pattern or schema before it, and after it where it begins.
    """
    vocabulary = Vocabulary.bytes()
    for name, (made, modules) in ASKED.items():
        if not all(map(find_spec, modules)):
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
    try:
        walk = engine.compile(language)(buffer)
        for at, byte in enumerate(text):
            if not walk.advance(byte):
                seen = text[at:].decode("utf-8", "replace")[:1]
                return False, f"refuses {what} at byte {start + at}: {seen!r}"
        walk.fill()
    except BaseException as error:
        return False, f"refuses the schema of {what}: {_line(error)}"
    is_accepted = bool(buffer.bits()[256])
    return is_accepted, f"accepts {what}" if is_accepted else f"allows {what} so far, but not the end"


def _line(error: BaseException) -> str:
    """Return an error as one line; a panic of an engine in Rust is no ``Exception``.

    >>> _line(ValueError("one\\n  two"))
    'one two'
    """
    if isinstance(error, KeyboardInterrupt | SystemExit):
        raise error
    return " ".join(str(error).split())[:200] or type(error).__name__
