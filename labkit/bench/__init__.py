"""What a lab's ``bench.py`` offers ``python3 -m course bench``: a table of jobs, each done by several methods."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

Job = Callable[[], object]

PATTERNS = {"[0-9]+[.][0-9]+": "3.14", "0x[0-9a-f]+": "0x1f", "[a-z]+@[a-z]+": "ada@home"}
"""Patterns of lab 02, each with a text after which a mask is timed."""


@dataclass(frozen=True)
class BenchTable:
    """A job, the methods that do it, and a row for each thing it's done to.

    Attributes:
        methods: the slowest first, the lab's own last.
        rows: by name, what makes the jobs of a row ready: one for each method, None where a method takes no part.
        turns: how often each job is timed, in turn with the others of its row.

    >>> rows = {"1 to 3": lambda: [lambda: 1 + 2 + 3, lambda: sum((1, 2, 3))]}
    >>> table = BenchTable("a sum", ("by hand", "sum"), rows)
    >>> [job() for job in table.rows["1 to 3"]()]
    [6, 6]
    """

    job: str
    methods: tuple[str, ...]
    rows: Mapping[str, Callable[[], Sequence[Job | None]]]
    turns: int = 5
