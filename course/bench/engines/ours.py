"""The engine that the labs add up to, behind the bench's interface."""

from typing import Any

from course.bench.engines.engine import Buffer
from labkit.vocabulary import Vocabulary


class Ours:
    """``labs.assembled`` on one vocabulary."""

    name, version = "ours", "labs.assembled"

    def __init__(self, vocabulary: Vocabulary) -> None:
        from labs.assembled import compile_guide

        self._compile, self._vocabulary = compile_guide, vocabulary
        self.compile("a")  # once for each vocabulary, its trie is built

    def compile(self, regex: str) -> "_OurCompiled":
        """The guide; its rows are computed when they are asked for."""
        return _OurCompiled(self._compile(self._vocabulary, regex=regex))


class _OurCompiled:
    def __init__(self, guide: Any) -> None:
        self._guide = guide

    def start(self, buffer: Buffer) -> "_OurWalk":
        return _OurWalk(self._guide, buffer)

    def complete(self) -> bool:
        return False


class _OurWalk:
    def __init__(self, guide: Any, buffer: Buffer) -> None:
        self._guide, self._state, self._words = guide, guide.initial, buffer.words

    def fill(self) -> None:
        self._guide.fill((self._state,), self._words)

    def advance(self, token_id: int) -> bool:
        self._state = self._guide.advance(self._state, token_id)
        return True
