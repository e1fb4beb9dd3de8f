"""What ``python3 -m course score 15`` counts: the bytes that a kernel moves, beside the fewest that must move.

It runs the kernel in the stand-in, right or wrong, and draws what it masked and what it moved. A kernel that raises
isn't counted: it has moved few bytes, and that would look like a record.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from labkit.gpu import Launch, Traffic, recorded
from labkit.gpu.drawing import bytes_picture, masked_picture
from labkit.scores import Count

SHARES = (0.01, 0.5, 0.99)
"""Shares of tokens that are allowed."""

ROWS, TOKENS, COLUMNS, BLOCK = 4, 500, 512, 128


@dataclass(frozen=True)
class Score:
    """The result of a kernel at one share: bytes by buffer, the least possible, the busiest program, and a picture.

    ``picture`` shows the words in which a logit is wrong; it's empty if all are right.
    """

    share: float
    least: int
    launch: Launch | None
    picture: str

    @property
    def moved(self) -> dict[str, int]:
        """Return bytes by buffer and direction, without zeros."""
        buffers = self.launch.of_buffers() if self.launch else {}
        named = [(f"{name} loaded", moved.bytes_loaded) for name, moved in buffers.items()]
        named += [(f"{name} stored", moved.bytes_stored) for name, moved in buffers.items()]
        return {name: size for name, size in named if size}

    @property
    def times_the_least(self) -> float:
        """Return all bytes moved over the least: 1.0 is the best that a kernel can do."""
        return sum(self.moved.values()) / self.least

    @property
    def busiest(self) -> Traffic:
        """Return the program that moved most."""
        programs = [self.launch.of_program(place) for place in self.launch.traffic] if self.launch else []
        return max(programs, key=lambda moved: moved.bytes, default=Traffic())


def score(lab: Any, share: float) -> Score:
    """Return the score of a lab's ``apply_bitmask_kernel`` at one share of allowed tokens.

    >>> from labs.lab_15_gpu_bitmask import solution
    >>> found = score(solution, 0.5)
    >>> found.times_the_least, found.picture, found.busiest.loads
    (1.0, '', 4)
    """
    rng = np.random.default_rng(0)
    allowed = rng.random((ROWS, TOKENS)) < share
    wanted = np.ones((ROWS, COLUMNS), bool)
    wanted[:, :TOKENS] = ~allowed
    logits = rng.normal(size=(ROWS, COLUMNS)).astype(np.float32)
    before = logits.copy()
    # packed by NumPy, because the score must not use the code that it scores
    whole = np.zeros((ROWS, -(-TOKENS // 32) * 32), bool)
    whole[:, :TOKENS] = allowed
    bitmask = np.packbits(whole, axis=1, bitorder="little").view("<i4").astype(np.int32)
    with recorded() as launches:
        lab.apply_on_device(logits, bitmask, TOKENS, block=BLOCK)
    picture = masked_picture(wanted, np.isneginf(logits), logits == before)
    least = bitmask.nbytes + int(wanted.sum()) * logits.itemsize
    return Score(share, least, launches[0] if launches else None, picture)


def drawing(lab: Any) -> str:
    """Return the scores at all shares, drawn.

    >>> from labs.lab_15_gpu_bitmask import solution
    >>> print(drawing(solution).splitlines()[0])
    1% of 500 tokens allowed, 4 rows of 512 float32 logits, 16 programs; the busiest: 4 loads and 128 stores
    """
    return "\n\n".join(_drawn(score(lab, share)) for share in SHARES)


def _drawn(found: Score) -> str:
    programs = int(np.prod(found.launch.grid)) if found.launch else 0
    loads, stores = found.busiest.loads, found.busiest.stores
    title = (
        f"{found.share:.0%} of {TOKENS} tokens allowed, {ROWS} rows of {COLUMNS} float32 logits, {programs} programs"
    )
    lines = [f"{title}; the busiest: {loads} loads and {stores} stores", bytes_picture(found.least, found.moved)]
    if found.picture:
        lines += ["These words are wrong:", found.picture]
    return "\n".join(lines)


def counts(lab: Any) -> Iterator[Count]:
    """Yield the bytes that ``apply_bitmask_kernel`` moves at each share, with the drawing.

    >>> from labs.lab_15_gpu_bitmask import solution
    >>> [count.yours == count.other for count in counts(solution)]
    [True, True, True]
    """
    for share in SHARES:
        found = score(lab, share)
        what = f"bytes moved with {share:.0%} of the tokens allowed{', but the masks are wrong' * bool(found.picture)}"
        yield Count(what, sum(found.moved.values()), found.least, "the least", _drawn(found))
