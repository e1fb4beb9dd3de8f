"""How often the small model's answers are valid and right: counted in this run, and as shipped."""

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from course.showcase.demo.answers import CHECKPOINTS, SEED, prompts
from course.showcase.demo.results import Count, Row
from course.showcase.small_model import figures
from course.showcase.small_model.modes import MODES
from course.showcase.small_model.outcomes import Outcome, outcomes
from labkit.small_model.generation import Generator

PATIENCE = 12.0
"""Seconds after which no more prompts are begun."""

_PART = 24
"""Prompts that are answered together."""

Answers = dict[tuple[str, str], list[Outcome]]
"""By checkpoint and mode."""


class Counting:
    """The count of this run.

    Args:
        models: by checkpoint, at least one.
        most: how many prompts, if there is time.
    """

    def __init__(self, models: dict[str, Generator], most: int, patience: float = PATIENCE) -> None:
        self._models = models
        self._examples = prompts(most)
        self._started = time.perf_counter()
        self._patience = patience

    def parts(self) -> Iterator[Callable[[], Answers]]:
        """The answers as things still to be done."""
        for start in range(0, len(self._examples), _PART):
            yield partial(self._answers, start)

    def counted(self, parts: Sequence[Answers]) -> Count:
        """The shares of all answers."""
        whole = {key: [outcome for part in parts for outcome in part.get(key, ())] for key in self._keys}
        rows = [_row(*key, figures.Share.of(answers)) for key, answers in whole.items()]
        cut = f" of {len(self._examples)}: {self._patience:g} s are over" if rows[0].n < len(self._examples) else ""
        where = f"Counted in this run: n = {rows[0].n}{cut}, seed {SEED}, temperature 1, {self._seconds:.1f} s"
        return Count(where, tuple(rows))

    @property
    def _seconds(self) -> float:
        return time.perf_counter() - self._started

    def _answers(self, start: int) -> Answers:
        """Those to some of the prompts; none where the time is over, but for the first."""
        if start and self._seconds > self._patience:
            return {}
        some = self._examples[start : start + _PART]
        return {key: outcomes(some, key[1], self._models[key[0]], seed=SEED + start) for key in self._keys}

    @property
    def _keys(self) -> list[tuple[str, str]]:
        return [(checkpoint, mode) for checkpoint in self._models for mode in MODES]


def shipped() -> Count:
    """The figures that are in the repository.

    Raises:
        ValueError: naming the file, if it is missing or is not what it should be.
    """
    try:
        setting, tables = figures.load()
        rows = [_row(name, mode, by[mode]["all"]) for name, by in _in_order(tables) for mode in MODES]
        where = f"Shipped with the course: n = {setting['n']}, seed {setting['seed']}, {setting['date']}"
    except FileNotFoundError:
        raise ValueError(f"{figures.FILE}: No such file or directory; expected the small model's figures") from None
    except (OSError, ValueError, TypeError, LookupError, AttributeError) as error:
        raise ValueError(f"{figures.FILE}: not the small model's figures ({error})") from error
    return Count(where, tuple(rows))


def _in_order(tables: dict[str, figures.Table]) -> list[tuple[str, figures.Table]]:
    """The checkpoint that answers here first."""
    return sorted(tables.items(), key=lambda item: CHECKPOINTS.index(item[0]))


def _row(checkpoint: str, mode: str, share: figures.Share) -> Row:
    return Row(checkpoint, mode, share.n, share.valid, share.right, dict(share.why))
