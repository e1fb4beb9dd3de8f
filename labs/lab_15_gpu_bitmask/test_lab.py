"""Tests of lab 15. The oracles are arithmetic on Python's whole numbers, plain loops, and ``regex``.

Every test passes arrays and compares the result, or the arrays after the call. Kernels are launched by the tests, as
the launches of the file do it. The memory stays here: a program asks for each element that it loads and stores, and
what it moves is counted where it is asked, not in the process in which the program runs.
"""

import itertools
import re

import numpy as np
import pytest
import regex

from labkit.checking import Recorder, check_equal, check_type
from labkit.checking.calls import reporting
from labkit.checking.promises import check_promises
from labkit.errors import EmptyRow
from labkit.gpu.arrays import device_logits, element_strides
from labkit.gpu.counts import Launch
from labkit.gpu.drawing import masked_picture
from labkit.gpu.elsewhere import launch_elsewhere
from labkit.vocabulary import Vocabulary

INFINITY = {"float32": 0xFF800000, "float16": 0xFC00, "bfloat16": 0xFF80}
"""The raw bits of minus infinity."""

STORED = {"float32": np.float32, "float16": np.float16, "bfloat16": np.uint16}
RAW = {"float32": np.uint32, "float16": np.uint16, "bfloat16": np.uint16}
FORMATS = list(INFINITY)


# Launches -------------------------------------------------------------------------------------------------------------


def check_kernel(lab, name: str):
    """Return what runs one program of a kernel; assert that it is one."""
    try:
        return getattr(lab, name).step
    except AttributeError as error:
        if getattr(error, "name", "step") != "step":
            raise
        raise AssertionError(f"{name} is no kernel: leave the line @jit above it") from None


class Launches:
    """The functions under test; launches are made here, of the file's kernels, on memory that stays here.

    Other functions that overwrite an argument get the test's own, all others copies. ``moved`` is what the last launch
    moved, by program and buffer.
    """

    moved: Launch

    def __init__(self, lab) -> None:
        self._lab = lab

    def __getattr__(self, name: str):
        function = getattr(self._lab, name)
        return self._in_place(function) if name in OVERWRITTEN else function

    def _in_place(self, function):
        def call(*args, **named):
            with self._lab.in_place():
                return function(*args, **named)

        return call

    def _launch(self, kernel: str, grid: tuple[int, ...], arguments, own) -> None:
        if min(grid):
            step = check_kernel(self._lab, kernel)
            self.moved = launch_elsewhere(step, kernel, grid, arguments, own)

    def mask_block_on_device(self, logits, words, vocab_size, block_id, block) -> None:
        """Launch the one program that masks one block of one row."""
        (stride,) = element_strides(logits)
        arguments = {"logits_ptr": device_logits(logits), "column_stride": stride, "words_ptr": words}
        arguments |= {"vocab_size": vocab_size, "n_columns": len(logits), "block": block_id, "BLOCK": block}
        self._launch("mask_block", (1,), arguments, owner(logits[None], block, [0], first=block_id))

    def apply_on_device(self, logits, bitmask, vocab_size, rows=None, states=None, block=1024) -> None:
        """Launch the kernel for all rows, for some, or for the rows of a table that the states pick."""
        words, chosen = "bitmask" if states is None else "table", range(len(logits)) if rows is None else rows.tolist()
        strides, (word_stride, _) = element_strides(logits), element_strides(bitmask)
        arguments = {"logits_ptr": device_logits(logits), "row_stride": strides[0], "column_stride": strides[1]}
        arguments |= {f"{words}_ptr": bitmask, f"{words}_stride": word_stride, "rows_ptr": rows, "states_ptr": states}
        arguments |= {"vocab_size": vocab_size, "n_columns": logits.shape[1], "BLOCK": block}
        arguments = {name: value for name, value in arguments.items() if value is not None}
        which = "rows" if rows is not None else "bitmask" if states is None else "states"
        grid = len(chosen), -(-logits.shape[1] // block)
        self._launch(f"apply_{which}_kernel", grid, arguments, owner(logits, block, chosen))

    def advance_on_device(self, states, tokens, symbols, offsets, steps) -> None:
        """Launch the kernel that advances each state."""
        arguments = {"states_ptr": states, "tokens_ptr": tokens, "symbols_ptr": symbols, "offsets_ptr": offsets}
        arguments |= {"steps_ptr": steps, "SYMBOLS": 258}
        self._launch("advance_kernel", (len(states),), arguments, lambda place, name, index: (index == place[0]).all())


def owner(logits, block: int, rows, first: int = 0):
    """Return whether a program stores to its own: program (i, j) masks block ``first`` + j of row ``rows[i]``."""
    row_stride, column_stride = element_strides(logits)

    def own(place, name: str, index) -> bool:
        columns = np.arange(logits.shape[1])[(first + (*place, 0)[1]) * block :][:block]
        return name == "logits_ptr" and np.isin(index, rows[place[0]] * row_stride + columns * column_stride).all()

    return own


@pytest.fixture
def lab(lab):
    """Launch kernels from here."""
    return Launches(lab)


# Words, by arithmetic on Python's whole numbers -----------------------------------------------------------------------


def n_words(size: int) -> int:
    """Return how many words hold so many bits."""
    return (size + 31) // 32


def words_of(ids, size: int, *, tail: bool = False) -> list[int]:
    """Return the words of a row; with ``tail`` all bits after the last token are set, as garbage."""
    wanted = set(ids) | (set(range(size, n_words(size) * 32)) if tail else set())
    words = [sum(1 << i % 32 for i in wanted if i // 32 == word) for word in range(n_words(size))]
    return [word - (1 << 32) if word >= 1 << 31 else word for word in words]


def bitmask_of(rows, size: int, *, tail: bool = False) -> np.ndarray:
    """Return the bitmask of some rows of ids."""
    words = [words_of(ids, size, tail=tail) for ids in rows]
    return np.array(words, np.int32).reshape(len(rows), n_words(size))


# apply ----------------------------------------------------------------------------------------------------------------


def logits_of(name: str, shape: tuple[int, int], seed: int = 0) -> np.ndarray:
    """Return logits of a format as raw bits, with zeros of both signs, infinities and a NaN among them."""
    rng = np.random.default_rng(seed)
    values = rng.normal(0, 8, shape).astype(np.float32)
    odd = np.array([0.0, -0.0, np.inf, np.nan, -1e30, 65504.0], np.float32)
    values.reshape(-1)[: values.size // 2 : 5] = np.resize(odd, len(values.reshape(-1)[: values.size // 2 : 5]))
    if name == "bfloat16":
        return (values.view(np.uint32) >> 16).astype(np.uint16)
    with np.errstate(over="ignore"):
        return values.astype(STORED[name])


def check_masked(logits: np.ndarray, before: np.ndarray, wanted: np.ndarray, name: str, what: str) -> None:
    """Assert that logits are -inf where wanted and unchanged elsewhere; draw the difference if not."""
    got = np.ascontiguousarray(logits).view(RAW[name])
    masked, kept = got == INFINITY[name], got == np.ascontiguousarray(before).view(RAW[name])
    if (np.where(wanted, masked, kept)).all():
        return
    wrong = np.argwhere(~np.where(wanted, masked, kept))
    row, column = wrong[0].tolist()
    right = "-inf" if wanted[row, column] else f"{_number(before[row, column], name)}, as it was"
    yours = _number(logits[row, column], name) + ", as it was" * bool(kept[row, column])
    lines = [
        f"{what}: row {row}, column {column}: expected {right}, yours {yours}",
        *masked_picture(wanted, masked, kept).splitlines(),
    ]
    raise AssertionError("\n    ".join(lines) + (f"\n(In all, {len(wrong)} of {wanted.size} logits are wrong.)"))


def _number(value, name: str) -> str:
    """Return a logit as text; for bfloat16 the number that the bits mean."""
    if name == "bfloat16":
        return f"{float((np.array(value).astype(np.uint32) << 16).view(np.float32)):g} (bits {int(value):X})"
    return f"{float(value):g}"


def wanted_of(rows, size: int, n_columns: int, constrained) -> np.ndarray:
    """Return where -inf must be: in constrained rows everywhere but at allowed tokens, the padding included."""
    wanted = np.zeros((len(rows), n_columns), bool)
    for row in range(len(rows)) if constrained is None else constrained:
        wanted[row] = True
        wanted[row, list(rows[row])] = False
    return wanted


def check_apply(
    function, rows, size: int, n_columns: int, name: str, constrained=None, *, lay=np.array, tail=False, **more
):
    """Assert what ``apply``, or a kernel's launch, does to logits.

    Args:
        lay: puts the logits into the memory layout under test.
        tail: whether the last words have garbage after the last token.
    """
    before = logits_of(name, (len(rows), n_columns))
    logits, bitmask = lay(before), spread(2, 1, 2)(bitmask_of(rows, size, tail=tail))
    words = bitmask.copy()
    only = "" if constrained is None else f", rows {list(constrained)}"
    only += f", bitmask with gaps{', garbage in its tail' * tail}"
    what = f"{name}[{len(rows)}, {n_columns}] logits, {size} tokens{only}"
    if constrained is not None:
        more["rows"] = np.array(constrained, np.int32)
    with reporting(what):
        got = function(logits, bitmask, size, **more)
    check_type(got, type(None), "what changes its argument in place")
    check_masked(logits, before, wanted_of(rows, size, n_columns, constrained), name, what)
    check_equal(bitmask.tolist(), words.tolist(), f"{what}, the bitmask afterwards")


def spread(down: int, along: int, more: int = 0):
    """Return what lays logits into every n-th row and column of a larger array, whose rows are ``more`` longer."""

    def lay(logits: np.ndarray) -> np.ndarray:
        rows, columns = logits.shape
        view = np.zeros((rows * down, columns * along + more), logits.dtype)[::down, : columns * along : along]
        view[:] = logits
        return view

    return lay


OTHERWISE = {"every second column": spread(1, 2), "longer rows": spread(1, 1, more=5), "every second row": spread(2, 1)}
LAYOUTS = [*OTHERWISE.values(), np.asfortranarray]
LAID = pytest.mark.parametrize("lay", LAYOUTS, ids=[*OTHERWISE, "column by column"])
MIXED = [[0, 31, 32, 63], [], [5], [31], [64, 69], list(range(70))]


@pytest.mark.todo("apply")
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("n_columns", [70, 71, 96, 128])
def test_only_the_allowed_logits_stay(lab, name, n_columns):
    """Keep every bit of allowed logits, even of NaN and -0.0, mask the padding, and leave other rows alone."""
    for constrained in (None, [1, 4], [5, 0], [2], []):
        check_apply(lab.apply, MIXED, 70, n_columns, name, constrained)
        check_apply(lab.apply, MIXED, 70, n_columns, name, constrained, tail=True)


@pytest.mark.todo("apply")
@LAID
def test_logits_with_gaps_are_masked_in_place(lab, lay):
    """Change the caller's array, even if it has gaps, not a copy of it."""
    check_apply(lab.apply, MIXED, 70, 80, "float32", lay=lay)
    check_apply(lab.apply, MIXED, 70, 80, "float16", [0, 3], lay=lay)


# fill -----------------------------------------------------------------------------------------------------------------


def guide_of(rows, size: int):
    """A test double for a guide's function from a state to a row; it records the states."""
    words = bitmask_of(rows, size)
    words.flags.writeable = False
    return Recorder(lambda state: words[state])


def check_fill(lab, masks, states, out: np.ndarray, size: int, expected: list[list[int]], rows: list[int]) -> None:
    """Assert what is filled in, and which rows are returned as constrained."""
    what = f"fill of {len(masks)} requests, constrained: {rows}"
    with reporting(what):
        got = lab.fill(masks, states, out, size)
    check_equal(got, np.array(rows, np.int32), f"{what}, the rows")
    for row, words in enumerate(expected):
        check_equal(out[row].tolist(), words, f"{what}, row {row} of out")


@pytest.mark.todo("fill")
def test_each_request_gets_its_own_row(lab):
    """Give each constrained request the row of its own state, and ask no guide for anything else."""
    one, other = guide_of([[0], [1, 31], [2]], 40), guide_of([[39], [3]], 40)
    out = np.zeros((3, 2), np.int32)
    expected = [words_of([1, 31], 40), words_of([39], 40), words_of([2], 40)]
    check_fill(lab, [one, other, one], [1, 0, 2], out, 40, expected, [0, 1, 2])
    check_equal((sorted(one.calls), other.calls), ([1, 2], [0]), "the states that the two guides were asked for")


@pytest.mark.todo("fill")
def test_a_free_row_allows_everything_again(lab):
    """Set every bit of an unconstrained row, whatever the last step left there, and don't return the row."""
    guide, out, five, full = guide_of([[5]], 40), bitmask_of([[1], [2], [3], [4]], 40), words_of([5], 40), [-1, -1]
    check_fill(lab, [None, guide, None, guide], [7, 0, 0, 0], out, 40, [full, five, full, five], [1, 3])
    check_fill(lab, [None, None], [0, 0], out[:2], 40, [full, full], [])
    check_fill(lab, [], [], out[:0], 40, [], [])
    buffer = np.full((6, 4), 7, np.int32)
    check_fill(lab, [guide, None], [0, 0], buffer[1::3, 1:3], 40, [five, full], [0])


@pytest.mark.todo("fill")
@pytest.mark.parametrize("tail", [False, True], ids=["", "tail"])
@pytest.mark.parametrize(
    ("rows", "size", "empty"),
    [
        *[([[0], [39]], 40, None), ([[31], [30]], 64, None), ([[*range(32)]], 32, None), ([[]], 40, 0)],
        *[([[1], [], [2]], 40, 1), ([[31], [0], []], 33, 2), ([None, [1], [], []], 33, 2), ([[0], [], [62]], 63, 1)],
    ],
    ids=str,
)
def test_a_row_without_a_token_is_refused(lab, rows, size, empty, tail):
    """``EmptyRow`` names the first empty row. Negative words aren't empty, and no bit after the last token counts."""
    words = bitmask_of([ids or [] for ids in rows], size, tail=tail)
    masks = [None if ids is None else words.__getitem__ for ids in rows]
    what, found = f"fill, where the guides give {words.tolist()} for {size} tokens", None
    try:
        with reporting(what):
            lab.fill(masks, [*range(len(rows))], np.zeros_like(words), size)
    except EmptyRow as error:
        (found,) = error.args
        check_type(found, int, f"{what}, the row that EmptyRow names")
    check_equal(found, empty, f"{what}, the row that EmptyRow names; None if it isn't raised")


# mask_block -----------------------------------------------------------------------------------------------------------


def check_block(
    lab, ids, size: int, n_columns: int, block_id: int, block: int, name: str = "float32", *, step=1, tail=False
):
    """Assert what one program does to one block of a row, and that it changes nothing elsewhere."""
    before = logits_of(name, (1, n_columns), seed=3)
    logits, words = spread(1, step)(before)[0], bitmask_of([ids], size, tail=tail)[0]
    what = f"mask_block, block {block_id} of {block} columns; row of {n_columns}, {size} tokens; words {words.tolist()}"
    with reporting(what):
        lab.mask_block_on_device(logits, words, size, block_id, block)
    wanted = wanted_of([ids], size, n_columns, None)
    columns = np.arange(n_columns)
    wanted &= (columns >= block_id * block) & (columns < (block_id + 1) * block)
    check_masked(logits[None], before, wanted, name, what)


@pytest.mark.todo("mask_block")
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("block_id", [0, 1, 2])
def test_one_program_masks_one_block(lab, name, block_id):
    """Your block reads its own words and leaves its neighbours alone, whether a word is full, empty or negative."""
    for ids in ([0, 31, 33, 64, 95, 96, 127, 128, 191], [0, 2, 31], [30, 32, 63, 96], list(range(64, 192)), []):
        check_block(lab, ids, 192, 192, block_id, 64, name)
        check_block(lab, [token for token in ids if token < 96], 96, 96, block_id, 32, name, step=3)


@pytest.mark.todo("mask_block")
@pytest.mark.parametrize(
    ("size", "n_columns", "block_id", "block"),
    [
        *[(40, 40, 0, 64), (40, 45, 0, 64), (33, 64, 0, 64), (31, 32, 0, 64), (5, 5, 0, 64)],
        *[(32, 64, 1, 32), (32, 50, 1, 32), (40, 200, 2, 64)],
    ],
)
def test_the_last_block_stops_where_the_row_ends(lab, size, n_columns, block_id, block):
    """Write nothing from column C on and read nothing after the last word, but do mask the padding."""
    for ids, tail, step in itertools.product(([0, size - 1], [size - 1], []), (False, True), (1, 2)):
        check_block(lab, ids, size, n_columns, block_id, block, step=step, tail=tail)


def check_moved(lab, expected: dict[str, int], launch: str, *args, most: int | None = None, **named) -> None:
    """Assert how many elements a launch loads and stores; buffers that are not expected may have loads.

    Args:
        most: how many words one program may load.
    """
    getattr(lab, launch)(*args, **named)
    found = {f"{name} loaded": moved.loads for name, moved in lab.moved.of_buffers().items()}
    found |= {f"{name} stored": moved.stores for name, moved in lab.moved.of_buffers().items()}
    got = {name: count for name, count in found.items() if count}
    wanted = {name: count for name, count in expected.items() if count}
    mine = {name: count for name, count in got.items() if name in expected or "logits" in name or "stored" in name}
    check_equal(mine, wanted, f"the elements that {launch} moved")
    for place, buffers in lab.moved.traffic.items() if most is not None else ():
        words = max((moved.loads for name, moved in buffers.items() if name in WORDS), default=0)
        assert words <= most, f"program {place} of {launch} loads {words} words, and its block has {most}"


WORDS = ("words_ptr", "bitmask_ptr", "table_ptr")


@pytest.mark.todo("mask_block")
@pytest.mark.parametrize(
    ("ids", "size", "n_columns", "block_id", "n_words", "n_masked"),
    [
        *[([0, 31, 33], 64, 64, 0, 2, 61), ([69], 70, 80, 1, 1, 15), (range(64), 64, 64, 0, 2, 0)],
        ([3], 40, 200, 2, 0, 64),
    ],
    ids=["two_words", "the_end_of_a_row", "all_allowed", "padding_alone"],
)
@pytest.mark.parametrize("name", FORMATS)
def test_each_word_is_loaded_once_and_no_logit(lab, name, ids, size, n_columns, block_id, n_words, n_masked):
    """Memory is what a kernel waits for. Load each word once and no logit at all, and store each -inf once."""
    logits, words = logits_of(name, (1, n_columns))[0], bitmask_of([list(ids)], size)[0]
    expected = {"words_ptr loaded": n_words, "logits_ptr loaded": 0, "logits_ptr stored": n_masked}
    check_moved(lab, expected, "mask_block_on_device", logits, words, size, block_id, 64)


# The kernels of a batch -----------------------------------------------------------------------------------------------


@pytest.mark.todo("apply_bitmask_kernel")
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("block", [32, 64, 1024])
def test_the_kernel_does_what_apply_does(lab, name, block):
    """Mask every row by its own words, in blocks of any size, with or without padding and garbage in the tail."""
    check_apply(lab.apply_on_device, MIXED, 70, 70, name, block=block)
    check_apply(lab.apply_on_device, MIXED, 70, 101, name, tail=True, block=block)


@pytest.mark.todo("apply_bitmask_kernel")
@LAID
def test_each_row_starts_a_stride_further(lab, lay):
    """Rows of logits needn't follow one another in memory, and neither need rows of words. Go by the strides."""
    check_apply(lab.apply_on_device, MIXED, 70, 80, "float32", lay=lay, block=32)


@pytest.mark.todo("apply_rows_kernel")
@pytest.mark.parametrize("constrained", [[1, 4], [5, 0, 3], [2]], ids=str)
@pytest.mark.parametrize("name", FORMATS)
def test_only_the_listed_rows_are_masked(lab, name, constrained):
    """Mask the rows in the list, in any order and layout, each by its own words, and change no other row."""
    for lay in (np.array, *LAYOUTS):
        for rows in (constrained, []):
            check_apply(lab.apply_on_device, MIXED, 70, 80, name, rows, lay=lay, block=64)


# States on the device -------------------------------------------------------------------------------------------------


@pytest.mark.todo("apply_states_kernel")
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("states", [[0, 1, 2], [2, 2, 5, 0, 0], [-1, 3, -1, 4], [-2, 0]], ids=str)
def test_the_state_picks_the_row(lab, name, states):
    """Mask each row by the words of its state, in any layout, and leave a row alone if its state is below 0."""
    table = np.full((6, 7), -1, np.int32)[:, 2:5]
    table[:] = bitmask_of(MIXED, 70, tail=True)
    rows = [[] if state < 0 else MIXED[state] for state in states]
    wanted = wanted_of(rows, 70, 80, [row for row, state in enumerate(states) if state >= 0])
    what = f"the kernel for {name} logits of the states {states}"
    for lay in (np.array, *LAYOUTS):
        before = logits_of(name, (len(states), 80))
        logits, own = lay(before), np.array(states, np.int32)
        with reporting(what):
            lab.apply_on_device(logits, table, 70, states=own, block=32)
        check_masked(logits, before, wanted, name, what)
        check_equal(own.tolist(), states, f"{what}, the states afterwards")


@pytest.mark.parametrize(
    ("which", "n_rows", "words", "n_words", "n_masked"),
    [
        pytest.param({}, 6, "bitmask", 18, 402, marks=pytest.mark.todo("apply_bitmask_kernel")),
        pytest.param({"rows": [4, 5]}, 6, "bitmask", 6, 88, marks=pytest.mark.todo("apply_rows_kernel")),
        pytest.param({"states": [4, -1, 5, 5]}, 4, "table", 9, 98, marks=pytest.mark.todo("apply_states_kernel")),
    ],
    ids=["all", "some", "states"],
)
def test_a_batch_moves_no_more_than_it_must(lab, which, n_rows, words, n_words, n_masked):
    """Load the words of each masked row once, and store each of its masked logits once."""
    logits, named = logits_of("float32", (n_rows, 80)), {name: np.array(each, np.int32) for name, each in which.items()}
    expected = {f"{words}_ptr loaded": n_words, "logits_ptr loaded": 0, "logits_ptr stored": n_masked}
    check_moved(lab, expected, "apply_on_device", logits, bitmask_of(MIXED, 70), 70, block=32, most=1, **named)


def table_of(transitions, accepting: list[bool]) -> np.ndarray:
    """Return the expected table, with two more states, by plain loops."""
    n = len(accepting)
    table = np.full((n + 2, 258), n + 1, np.int32)
    for (state, byte), target in transitions.items():
        table[state, ord(byte)] = target
    table[[state for state in range(n) if accepting[state]] + [n], 256] = n
    return table


AB = ({(0, "a"): 1, (1, "b"): 0, (1, "\xff"): 1}, [True, False])
"""(a(\\xFF)*b)*, over bytes."""


def walked(table: np.ndarray, state: int, walk) -> int:
    """Return the state after a walk through a table."""
    for symbol in walk:
        state = int(table[state, symbol])
    return state


def flat(walks) -> tuple[np.ndarray, np.ndarray]:
    """Return walks one after the other, and their offsets."""
    borders = list(itertools.accumulate((len(walk) for walk in walks), initial=0))
    return np.asarray(list(itertools.chain(*walks)), dtype="int16"), np.asarray(borders, dtype="int32")


def check_advance(lab, table: np.ndarray, walks, states: list[int], tokens: list[int]) -> None:
    """Assert the state after each token."""
    symbols, offsets = flat(walks)
    numbers = np.array(states, np.int32)
    what = f"advance_on_device of the states {states} by tokens of the symbols {[walks[token] for token in tokens]}"
    with reporting(what):
        lab.advance_on_device(numbers, np.array(tokens, np.int32), symbols, offsets, table)
    expected = [s if s < 0 else walked(table, s, walks[t]) for s, t in zip(states, tokens, strict=True)]
    check_equal(numbers, np.array(expected, np.int32), what)


WALKS = [[97], [98], [97, 98], [97, 255, 255, 98], [257], [256], [97, 98, 97], [98, 97]]


@pytest.mark.todo("advance_kernel")
@pytest.mark.parametrize(
    ("states", "tokens"),
    [
        *[([state], [token]) for state in range(4) for token in (0, 3)],
        *[([state] * len(WALKS), [*range(len(WALKS))]) for state in range(4)],
        *[([0, 1, -1, 0, 1, -1, 2], [0, 1, 2, 3, 5, 7, 5]), ([-2, 0], [0, 2])],
    ],
    ids=str,
)
def test_each_request_walks_its_own_token(lab, states, tokens):
    """Each row advances from its own state, by its own token. A state below 0 stays as it is."""
    check_advance(lab, table_of(*AB), WALKS, states, tokens)


@pytest.mark.todo("advance_kernel")
@pytest.mark.parametrize("tokens", [[0], [3], [6, 2, 5]], ids=["one_symbol", "four_symbols", "a_batch"])
def test_the_state_is_stored_once(lab, tokens):
    """Look up one entry for each symbol, and store one state for each row, after the walk."""
    symbols, offsets = flat(WALKS)
    args = (np.zeros(len(tokens), np.int32), np.array(tokens, np.int32), symbols, offsets, table_of(*AB))
    expected = {"states_ptr stored": len(tokens), "steps_ptr loaded": sum(len(WALKS[token]) for token in tokens)}
    check_moved(lab, expected, "advance_on_device", *args)


# Whole generations ----------------------------------------------------------------------------------------------------

TEXTS = ["0", "1", "12", ".", ".5", "1.", "a", "ab", "b", "ba", "é", "éa", "x", " ", "07"]
TEXTS += ["yes", "ye", "s", "no", "n", "o"]
SPECIAL = [b"<s>", b"</s>", b"1"]
VOCABULARY = Vocabulary([*SPECIAL, *(text.encode() for text in TEXTS), b"\xc3", b"\xa9"], eos_id=1, special_ids=[0, 2])
SIZE = len(VOCABULARY)
PATTERNS = [r"[0-9]+(\.[0-9]+)?", "(ab|ba)+", "yes|no|é{2}a"]


def may_follow(pattern: str, data: bytes) -> bool:
    """Return whether bytes are a viable prefix. The patterns' only character beyond ASCII is é, so C3 is completed."""
    try:
        text = (data + b"\xa9" if data.endswith(b"\xc3") else data).decode()
    except UnicodeDecodeError:
        return False
    return bool(regex.compile(pattern).fullmatch(text, partial=True))


def allowed_ids(pattern: str, data: bytes) -> list[int]:
    """Return the ids that may come next, by partial matches; EOS where the text is a match."""
    live = [
        token_id
        for token_id, token in enumerate(VOCABULARY.token_bytes)
        if token_id not in VOCABULARY.special_ids and may_follow(pattern, data + token)
    ]
    whole = not data.endswith(b"\xc3") and re.fullmatch(pattern, data.decode()) is not None
    return sorted([*live, *([VOCABULARY.eos_id] if whole else [])])


@pytest.mark.todo("advance_kernel")
@pytest.mark.parametrize("seed", range(3))
def test_whole_generations(lab, seed):
    """Mask a batch of five until the texts end. One request is unconstrained, so leave its row alone.

    At each step the logits are masked by the states on the device, a token is sampled, and the states advance there.
    The allowed tokens must be those of partial matches of ``regex``; a finished row allows EOS alone and stays so.
    """
    rng, tables, which = np.random.default_rng(seed), lab.tables_of(PATTERNS, VOCABULARY), [0, 1, None, 2, 0]
    states = np.array([-1 if p is None else tables.initial[p] for p in which], np.int32)
    texts, ended = [b""] * len(which), [False] * len(which)
    for step in range(14):
        rows = [
            [*range(SIZE + 6)] if p is None else [1] if ended[i] else allowed_ids(PATTERNS[p], texts[i])
            for i, p in enumerate(which)
        ]
        before = rng.normal(size=(len(which), SIZE + 6)).astype(np.float32)
        logits, wanted = before.copy(), wanted_of(rows, SIZE, SIZE + 6, None)
        lab.apply_on_device(logits, tables.masks, SIZE, states=states, block=32)
        check_masked(logits, before, wanted, "float32", f"step {step}, after the texts {texts}")
        tokens = [1 if step > 6 and 1 in ids else int(row.argmax()) for ids, row in zip(rows, logits, strict=True)]
        lab.advance_on_device(states, np.array(tokens, np.int32), tables.symbols, tables.offsets, tables.steps)
        for i, (p, token) in enumerate(zip(which, tokens, strict=True)):
            if p is not None and token != 1:
                texts[i] += VOCABULARY.token_bytes[token]
            ended[i] = p is not None and token == 1
            if p is None or ended[i]:
                expected = -1 if p is None else len(tables.masks) - 2
                check_equal(int(states[i]), expected, f"step {step}, the state of row {i}")


# Promises of the functions that are no kernels ------------------------------------------------------------------------

THREE = np.array([[5], [0], [2]], np.int32)
NO_WORDS = np.zeros((0, 1), np.int32)


def after(name: str):
    """Return what wraps a function: it gets its own copy of what it overwrites, if anything, and returns the copy."""
    place = OVERWRITTEN.get(name)

    def wrap(function):
        def call(*args):
            own = [np.array(arg) if index == place else arg for index, arg in enumerate(args)]
            got = function(*own)
            return got if place is None else own[place]

        return call

    return wrap


def column(*words: int) -> np.ndarray:
    """Return a bitmask with one word in each row."""
    return np.array(words, np.int32).reshape(-1, 1)


def masked(*rows) -> np.ndarray:
    """Return logits of 0, and of minus infinity at the letter x."""
    return np.array([[-np.inf if letter == "x" else 0 for letter in row] for row in rows], np.float32)


ZEROS, ALL = masked("....", "....", "...."), masked(".x.x", "xxxx", "x.xx")
ONE_ROW, OTHER_ROW = column(1, 2).__getitem__, column(4, 1).__getitem__
PROMISES = {
    "fill": {
        "of two guides in one state": (([ONE_ROW, OTHER_ROW], (1, 1), THREE[:2], 3), column(2, 1)),
        "of tuples": (((None, ONE_ROW), (0, 0), THREE[:2], 3), column(-1, 1)),
        "of NumPy's states": (([ONE_ROW, None], np.array([1, 0]), THREE[:2], np.int64(3)), column(2, -1)),
        "of no requests": (([], [], NO_WORDS, 3), NO_WORDS),
    },
    "apply": {
        "to all rows": ((ZEROS, THREE, 3), ALL),
        "to a list of rows": ((ZEROS, THREE, 3, [0, 2]), masked(".x.x", "....", "x.xx")),
        "to a tuple of rows": ((ZEROS, THREE, 3, (1, 2)), masked("....", "xxxx", "x.xx")),
        "to an array of rows": ((ZEROS, THREE, 3, np.array([0], np.int32)), masked(".x.x", "....", "....")),
        "of another bitmask": ((ZEROS, THREE[::-1], 3), ALL[::-1].copy()),
        "to whole numbers": ((np.zeros((1, 3), np.int32), THREE[:1], 3), ValueError),
    },
}
"""For each function its calls; where an argument is overwritten, what is written there."""

OVERWRITTEN = {"fill": 2, "apply": 0}
"""Where the argument stands that a function overwrites."""


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.todo(name)) for name in PROMISES])
def test_calls_leave_everything_else_alone(lab, name):
    """Each call gives the right answer in a new object, leaves its arguments alone, and remembers no other call."""
    check_promises(lab, name, PROMISES[name], after(name))
