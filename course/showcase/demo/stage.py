"""What the scenes of the demo share."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from rich.console import Console

from course.showcase.measuring import with_progress
from labkit.automata.tries import Trie
from labkit.small_model.generation import Generator
from labkit.vocabulary import Vocabulary

PROMPTS, FEWER_PROMPTS = 96, 32
"""Prompts that the small model answers in each mode, about ten seconds on one slow core; and with ``--quick``."""

T = TypeVar("T")


@dataclass
class Stage:
    """Where scenes print, and what is made once for all of them.

    Attributes:
        console: for the scenes' text.
        progress: for counters.
        out: the folder for pictures.
        problems: the small model's files that are missing or damaged; its scenes do with what is left.
    """

    console: Console
    progress: Console
    out: Path
    quick: bool = False
    problems: list[str] = field(default_factory=list)

    def work(self, what: str, jobs: Iterable[Callable[[], T]]) -> list[T]:
        """Do the jobs and show a counter."""
        return with_progress(self.progress, what, jobs)

    @property
    def n_prompts(self) -> int:
        """How many prompts the small model answers at most to be counted."""
        return FEWER_PROMPTS if self.quick else PROMPTS

    @cached_property
    def models(self) -> dict[str, Generator]:
        """The small model's checkpoints, as far as their files can be read."""
        from course.showcase.small_model.outcomes import generators

        found, problems = generators()
        self.problems += problems
        return found

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary of the labs' scenes."""
        return first_ids(Vocabulary.tekken()) if self.quick else Vocabulary.tekken()

    @cached_property
    def trie(self) -> Trie:
        """The vocabulary's trie, as lab 03 builds it."""
        from labs.lab_03_token_lifting.solution import build_trie

        texts = self.vocabulary.texts()
        return self.work("building the trie", [lambda: build_trie(texts)])[0]


def first_ids(vocabulary: Vocabulary, n: int = 16_000) -> Vocabulary:
    """Return the vocabulary of the first ``n`` ids alone."""
    return Vocabulary(vocabulary.token_bytes[:n], eos_id=vocabulary.eos_id, special_ids=range(1000))
