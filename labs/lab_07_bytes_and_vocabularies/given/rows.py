"""Rows of masks, made when first asked for, and shared where they are equal."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from labkit.automata.transitions import Lifted
from labs.lab_07_bytes_and_vocabularies.given.blocks import Blocks
from labs.lab_07_bytes_and_vocabularies.given.budget import affordable, fewest_steps

Row = NDArray[np.int32]
MakeRow = Callable[[Lifted, NDArray[np.bool_], bool], Row]
"""From the tokens' functions, those alive, and whether the state accepts, to a packed row."""

Progress = Callable[[int, int], object]
"""Told how many are done, and of how many."""


def allowed_ids(row: Row) -> set[int]:
    """The ids that a packed row allows.

    >>> sorted(allowed_ids(np.array([5, -(1 << 31)], np.int32)))
    [0, 2, 63]
    """
    bits = np.unpackbits(row.astype("<i4", copy=False).view(np.uint8), bitorder="little")
    return set(np.flatnonzero(bits).tolist())


class Rows:
    """The rows of one automaton, and the fewest tokens from each of its states to an accepting one.

    Args:
        blocks: the lifted automaton.
        accepts: whether a state is accepting.
        make_row: packs a row.
        make_first: packs the row of a state for which nothing has been lifted; used for the first row, if given.

    Here a row is only the list of the functions that are alive, and state 0 accepts:

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> from labs.lab_07_bytes_and_vocabularies.solution import build_byte_trie, byte_dfa, lift
    >>> blocks = Blocks(build_byte_trie([b"a", b"ab"]), byte_dfa(compile_dfa("(ab)*")), lift)
    >>> rows = Rows(blocks, lambda state: state == 0, lambda lifted, alive, accepts: alive.astype(np.int32))
    >>> rows.of(0).tolist(), rows.of(1).tolist(), rows.distances()
    ([0, 1, 1, 1], [0, 1, 0, 0], {0: 0.0, 1: inf})
    """

    def __init__(
        self,
        blocks: Blocks,
        accepts: Callable[[int], bool],
        make_row: MakeRow,
        make_first: Callable[[int], Row] | None = None,
    ) -> None:
        self._blocks, self._accepts, self._make_row, self._make_first = blocks, accepts, make_row, make_first
        self._rows: dict[int, Row] = {}
        self._made: dict[tuple[int, bool, bytes], Row] = {}
        self._equal: dict[bytes, Row] = {}
        self._distance: dict[int, float] = {}

    def of(self, state: int) -> Row:
        """The row of a state: read-only, and one for all states that allow the same."""
        row = self._rows.get(state)
        if row is None:
            row = self._rows[state] = self._make(state)
        return row

    def _make(self, state: int) -> Row:
        """A row that nobody has asked for. Where it is the first one, it is wanted soon, and perhaps no other."""
        if self._make_first and not self._rows and self._blocks.untouched:
            row = self._make_first(state)
            row.flags.writeable = False
            return self._equal.setdefault(row.tobytes(), row)
        lifted = self._blocks.of(state)
        return self._shared(lifted, state, lifted.alive_from(state))

    def make_all(self, progress: Progress | None = None) -> None:
        """Make the rows of all states."""
        states = self._blocks.reachable().tolist()
        for done, state in enumerate(states, start=1):
            self.of(state)
            if progress:
                progress(done, len(states))

    def within(self, state: int, remaining: int) -> Row:
        """The row of a state when so many tokens may still be emitted, this one and EOS included.

        Raises:
            ValueError: if not even one remains.
        """
        if remaining < 1:
            raise ValueError(f"a mask for {remaining} remaining tokens: at least one must remain, the one to choose")
        lifted = self._blocks.of(state)
        return self._shared(lifted, state, affordable(lifted, state, self.distances(), remaining))

    def _shared(self, lifted: Lifted, state: int, alive: NDArray[np.bool_]) -> Row:
        accepting = self._accepts(state)
        same = (id(lifted), accepting, alive.tobytes())  # the blocks live as long as this object
        if same not in self._made:
            row = self._make_row(lifted, alive, accepting)
            row.flags.writeable = False
            self._made[same] = self._equal.setdefault(row.tobytes(), row)
        return self._made[same]

    def distances(self) -> dict[int, float]:
        """The fewest tokens from each state to an accepting one, EOS not counted; ``inf`` where there is no way."""
        if not self._distance:
            states = self._blocks.reachable()
            sources, targets = (np.searchsorted(states, each) for each in self._blocks.transitions())
            accepting = np.flatnonzero([self._accepts(state) for state in states.tolist()])
            steps = fewest_steps(len(states), sources, targets, accepting)
            self._distance = dict(zip(states.tolist(), steps.tolist(), strict=True))
        return self._distance
