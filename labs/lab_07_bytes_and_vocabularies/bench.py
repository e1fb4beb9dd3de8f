"""The cases of lab 07 in ``python3 -m course bench labs``: from a pattern to its first mask, one idea after another."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise

from labkit.bench import Case, Job, Setting
from labs.lab_07_bytes_and_vocabularies.given.ways import ways

PATTERNS = {
    "inside a JSON string": r'([^"\\\x00-\x1f]|\\(["\\/bfnrt]|u[0-9a-fA-F]{4}))*"',
    ".{0,200}": ".{0,200}",
    "(a|b)*a(a|b){10}": "(a|b)*a(a|b){10}",
    "0x[0-9a-f]+": "0x[0-9a-f]+",
}

ONE_BY_ONE = ("inside a JSON string", "0x[0-9a-f]+")
"""Patterns for which each token on its own takes seconds; for others it takes a minute."""


def cases(setting: Setting) -> Iterator[Callable[[], Case]]:
    """Yield a case for each idea and pattern, still to be made: without the idea, and with it."""
    if setting.vocabulary is None:
        return
    made = ways(setting.vocabulary)
    for place, names in enumerate(pairwise(made)):
        for name in PATTERNS if place else ONE_BY_ONE:
            slow, fast = (partial(made[way], PATTERNS[name]) for way in names)
            yield partial(_case, name, names, slow, fast, times=5 if place else 1)


def _case(name: str, names: tuple[str, str], slow: Job, fast: Job, times: int) -> Case:
    return Case(f"first mask: {names[1]}", name, names, slow=slow, fast=fast, times=times)
