"""Tests of lab 14. The oracles are arithmetic on Python's whole numbers, plain loops, and ``regex``.

Every test passes arrays and compares the result, or the arrays after the call. Kernels are launched by the tests, as
the launches of the file do it. The memory stays here: a program asks for each element that it loads and stores, and
what it moves is counted where it is asked, not in the process in which the program runs.
"""

import itertools
import re
from types import SimpleNamespace

import numpy as np
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.checking import Recorder, check_array, check_equal, check_type
from labkit.checking.calls import reporting
from labkit.checking.promises import check_promises
from labkit.checking.properties import PROPERTY
from labkit.errors import EmptyRow
from labkit.gpu.arrays import device_logits, element_strides
from labkit.gpu.counts import Launch
from labkit.gpu.drawing import masked_picture
from labkit.gpu.elsewhere import launch_elsewhere
from labkit.vocabulary import Vocabulary

SOME = settings(PROPERTY, max_examples=25)
FEW = settings(PROPERTY, max_examples=12)
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

    def apply_on_device(self, logits, bitmask, vocab_size, rows=None, block=1024) -> None:
        """Launch the kernel for all rows, or for some."""
        chosen = range(len(logits)) if rows is None else rows.tolist()
        arguments = batch(logits, "bitmask_ptr", bitmask, "bitmask_stride")
        arguments |= {} if rows is None else {"rows_ptr": rows}
        arguments |= {"vocab_size": vocab_size, "n_columns": logits.shape[1], "BLOCK": block}
        kernel = "apply_bitmask_kernel" if rows is None else "apply_rows_kernel"
        self._launch(kernel, (len(chosen), -(-logits.shape[1] // block)), arguments, owner(logits, block, chosen))

    def apply_states_on_device(self, logits, states, masks, vocab_size, block=1024) -> None:
        """Launch the kernel that picks rows by state."""
        arguments = batch(logits, "table_ptr", masks, "table_stride") | {"states_ptr": states}
        arguments |= {"vocab_size": vocab_size, "n_columns": logits.shape[1], "BLOCK": block}
        grid = len(logits), -(-logits.shape[1] // block)
        self._launch("apply_states_kernel", grid, arguments, owner(logits, block, range(len(logits))))

    def advance_on_device(self, states, tokens, symbols, offsets, steps) -> None:
        """Launch the kernel that advances each state."""
        arguments = {"states_ptr": states, "tokens_ptr": tokens, "symbols_ptr": symbols, "offsets_ptr": offsets}
        arguments |= {"steps_ptr": steps, "SYMBOLS": 258}
        self._launch("advance_kernel", (len(states),), arguments, lambda place, name, index: (index == place[0]).all())


def batch(logits, name: str, words, stride: str) -> dict[str, object]:
    """Return the arguments with which the kernels for a batch begin: logits and words, with their strides."""
    strides, (word_stride, _) = element_strides(logits), element_strides(words)
    arguments = {"logits_ptr": device_logits(logits), "row_stride": strides[0], "column_stride": strides[1]}
    return arguments | {name: words, stride: word_stride}


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


def bools_of(rows, size: int) -> np.ndarray:
    """Return some rows of ids as booleans."""
    return np.array([[token in set(ids) for token in range(size)] for ids in rows], bool).reshape(len(rows), size)


def some_rows(most_rows: int = 3, most_tokens: int = 100, least_rows: int = 0):
    """Return a strategy for a vocabulary size, often near whole words, and rows of ids."""
    near = st.sampled_from([31, 32, 33, 63, 64, 65, 96, 97])
    sizes = st.integers(1, most_tokens) | near.filter(lambda size: size <= most_tokens)

    def rows(size: int):
        ids = st.sets(st.integers(0, size - 1) | st.sampled_from([size - 1, min(31, size - 1)]), max_size=12)
        return st.tuples(st.just(size), st.lists(ids.map(sorted), min_size=least_rows, max_size=most_rows))

    return sizes.flatmap(rows)


def check_raises(kind: type[Exception], call, what: str) -> Exception:
    """Assert that a call raises an error of this kind, and return the error."""
    try:
        with reporting(what):
            call()
    except kind as error:
        return error
    raise AssertionError(f"{what}: expected {kind.__name__}; yours raised nothing")


def check_unchanged(now: np.ndarray, before: np.ndarray, what: str) -> None:
    """Assert that an array is unchanged."""
    assert np.array_equal(now, before), f"{what} was changed: leave it unchanged"


# TODO 1 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.todo("words_for")
@pytest.mark.parametrize(
    ("size", "expected"),
    [(1, 1), (31, 1), (32, 1), (33, 2), (63, 2), (64, 2), (65, 3), (32000, 1000), (131072, 4096), (151669, 4740)],
)
def test_how_many_words(lab, size, expected):
    """There is a word for each 32 tokens, and one for the rest."""
    got = lab.words_for(size)
    check_type(got, int, f"words_for({size})")
    check_equal(got, expected, f"words_for({size})")


# TODO 2 ---------------------------------------------------------------------------------------------------------------


def check_pack(lab, rows, size: int, allowed: np.ndarray | None = None) -> None:
    """Assert the words of some rows of ids."""
    allowed = bools_of(rows, size) if allowed is None else allowed
    before, what = allowed.copy(), f"pack of {len(rows)} rows of {size} tokens, allowed: {rows}"
    with lab.in_place(), reporting(what):
        got = lab.pack(allowed)
    check_array(got, np.int32, (len(rows), n_words(size)), what)
    check_unchanged(allowed, before, "the argument allowed")
    check_equal(got.tolist(), [words_of(ids, size) for ids in rows], what)


@pytest.mark.todo("pack")
@pytest.mark.parametrize(
    ("rows", "size"),
    [
        ([[0, 2]], 5),
        ([[0], [1], [7], [8]], 9),
        ([[31]], 32),
        ([range(32)], 32),
        ([[0, 31], [30]], 32),
        ([[63], [31, 32]], 64),
        ([[]], 3),
    ],
    ids=str,
)
def test_bits_in_words(lab, rows, size):
    """Bit t % 32 of word t // 32 is token t, the lowest bit first; token 31 is the sign of word 0."""
    check_pack(lab, [list(ids) for ids in rows], size)


@pytest.mark.todo("pack")
@pytest.mark.parametrize(("rows", "size"), [([[32], [0]], 33), ([[39], [31], [0, 32]], 40), ([[0], [0], [1]], 1 + 64)])
def test_a_row_begins_with_a_word_of_its_own(lab, rows, size):
    """Where V is not a multiple of 32, the tail is zero, and the next row starts with a word of its own."""
    check_pack(lab, rows, size)


@pytest.mark.todo("pack")
def test_no_rows_are_no_words(lab):
    """A batch without rows is packed."""
    check_pack(lab, [], 40)


@pytest.mark.todo("pack")
def test_a_mask_with_gaps_is_packed(lab):
    """Arrays with gaps, with reversed columns and in column order are packed."""
    rows = [[0, 3, 31, 34], [2, 32]]
    wide = np.ones((2, 70), bool)
    wide[:, ::2] = bools_of(rows, 35)
    check_pack(lab, rows, 35, wide[:, ::2])
    check_pack(lab, rows, 35, np.ascontiguousarray(bools_of(rows, 35)[:, ::-1])[:, ::-1])
    check_pack(lab, rows, 35, np.asfortranarray(bools_of(rows, 35)))


@SOME
@given(some_rows())
@pytest.mark.todo("pack")
def test_any_batch_packed(lab, drawn):
    """Any number of rows and of tokens is packed."""
    size, rows = drawn
    check_pack(lab, rows, size)


# TODO 3 ---------------------------------------------------------------------------------------------------------------


def check_unpack(lab, bitmask: np.ndarray, rows, size: int) -> None:
    """Assert which ids the words of a batch allow."""
    before, what = bitmask.copy(), f"unpack({bitmask.tolist()}, {size})"
    with lab.in_place(), reporting(what):
        got = lab.unpack(bitmask, size)
    check_array(got, np.bool_, (len(rows), size), what)
    check_unchanged(bitmask, before, "the argument bitmask")
    check_equal(
        [np.flatnonzero(row).tolist() for row in got], [sorted(ids) for ids in rows], f"{what}, the ids allowed"
    )


@pytest.mark.todo("unpack")
@pytest.mark.parametrize(
    ("rows", "size"),
    [([[0, 2]], 5), ([[31], []], 32), ([list(range(32))], 32), ([[30, 31], [0]], 64), ([[63], [32]], 64), ([], 40)],
    ids=str,
)
def test_words_to_bits(lab, rows, size):
    """A word with its sign set is negative, and a shift brings ones in from the left: only the lowest bit counts."""
    check_unpack(lab, bitmask_of(rows, size), rows, size)


@pytest.mark.todo("unpack")
@pytest.mark.parametrize("size", [1, 5, 31, 33, 40, 63])
def test_what_stands_after_the_last_token_does_not_count(lab, size):
    """The tail of the last word is ignored."""
    rows = [[0], [size - 1], []]
    check_unpack(lab, bitmask_of(rows, size, tail=True), rows, size)


@pytest.mark.todo("unpack")
def test_a_bitmask_with_gaps(lab):
    """Every second word, and every second row, of a larger bitmask is unpacked."""
    rows = [[0, 33], [31, 39]]
    wide = np.full((4, 4), -1, np.int32)
    wide[::2, ::2] = bitmask_of(rows, 40)
    check_unpack(lab, wide[::2, ::2], rows, 40)


@SOME
@given(some_rows(), st.booleans())
@pytest.mark.todo("unpack")
def test_any_words(lab, drawn, tail):
    """Any batch is unpacked, with and without garbage in its tails."""
    size, rows = drawn
    check_unpack(lab, bitmask_of(rows, size, tail=tail), rows, size)


# TODO 4 ---------------------------------------------------------------------------------------------------------------


def check_refusal(lab, bitmask: np.ndarray, size: int, expected: int | None) -> None:
    """Assert which row is refused, if any."""
    what = f"refuse_empty_rows({bitmask.tolist()}, {size})"
    try:
        with reporting(what):
            lab.refuse_empty_rows(bitmask, size)
    except EmptyRow as error:
        check_equal(error.args, (expected,), f"{what}, the row that EmptyRow names")
    else:
        assert expected is None, f"{what}: row {expected} allows no token; expected EmptyRow, yours raised nothing"


@pytest.mark.todo("refuse_empty_rows")
@pytest.mark.parametrize(
    ("rows", "size", "expected"),
    [
        ([[0], [39]], 40, None),
        ([[31]], 32, None),
        ([[31], [30]], 64, None),
        ([list(range(32))], 32, None),
        ([], 40, None),
        ([[]], 40, 0),
        ([[1], [], [2]], 40, 1),
        ([[31], [0], []], 33, 2),
        ([[1], [], []], 33, 1),
    ],
    ids=str,
)
def test_a_row_that_allows_nothing(lab, rows, size, expected):
    """The first empty row is named. A row with token 31 alone is negative, and not empty."""
    check_refusal(lab, bitmask_of(rows, size), size, expected)


@pytest.mark.todo("refuse_empty_rows")
def test_bits_after_the_last_token_allow_nothing(lab):
    """A word with tail bits alone is empty."""
    for size in (1, 33, 63):
        check_refusal(lab, bitmask_of([[0], []], size, tail=True), size, 1)
        check_refusal(lab, bitmask_of([[0], [size - 1]], size, tail=True), size, None)


# TODO 5 ---------------------------------------------------------------------------------------------------------------


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
    check_array(got, np.int32, (len(rows),), what)
    check_equal(got.tolist(), rows, f"{what}, the rows")
    for row, words in enumerate(expected):
        check_equal(out[row].tolist(), words, f"{what}, row {row} of out")


@pytest.mark.todo("fill")
def test_rows_of_a_batch(lab):
    """Each constrained request has the row of its own state, and no guide is asked for anything else."""
    one, other = guide_of([[0], [1, 31], [2]], 40), guide_of([[39], [3]], 40)
    out = np.zeros((3, 2), np.int32)
    expected = [words_of([1, 31], 40), words_of([39], 40), words_of([2], 40)]
    check_fill(lab, [one, other, one], [1, 0, 2], out, 40, expected, [0, 1, 2])
    check_equal((one.calls, other.calls), ([1, 2], [0]), "the states that the two guides were asked for")


@pytest.mark.todo("fill")
def test_a_request_without_a_constraint(lab):
    """An unconstrained row has every bit set, whatever the last step left, and is not returned."""
    guide = guide_of([[5]], 40)
    out = bitmask_of([[1], [2], [3], [4]], 40)
    full = [-1, -1]
    check_fill(
        lab,
        [None, guide, None, guide],
        [7, 0, 0, 0],
        out,
        40,
        [full, words_of([5], 40), full, words_of([5], 40)],
        [1, 3],
    )
    check_fill(lab, [None, None], [0, 0], out[:2], 40, [full, full], [])
    check_fill(lab, [], [], out[:0], 40, [], [])


@pytest.mark.todo("fill")
def test_no_row_may_be_empty(lab):
    """A guide that allows nothing is refused: on the device its softmax would be 0 / 0."""
    guide = guide_of([[5], []], 40)
    out = np.zeros((3, 2), np.int32)
    what = "fill, where the guide of row 2 allows nothing"
    error = check_raises(EmptyRow, lambda: lab.fill([guide, None, guide], [0, 0, 1], out, 40), what)
    check_equal(error.args, (2,), f"{what}, the row that EmptyRow names")


@pytest.mark.todo("fill")
def test_out_may_be_part_of_a_larger_bitmask(lab):
    """``out`` may be part of the engine's larger buffer."""
    buffer = np.full((6, 4), 7, np.int32)
    check_fill(lab, [guide_of([[33]], 40), None], [0, 0], buffer[1::3, 1:3], 40, [words_of([33], 40), [-1, -1]], [0])


# TODO 6 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.todo("minus_infinity")
@pytest.mark.parametrize("name", FORMATS)
def test_minus_infinity(lab, name):
    """The result has the exact bits and dtype; the lowest finite number is not enough."""
    dtype = np.dtype(STORED[name])
    what = f"minus_infinity({dtype})"
    with reporting(what):
        got = lab.minus_infinity(dtype)
    check_type(got, dtype.type, what)
    bits = int(np.array(got).view(RAW[name]))
    assert bits == INFINITY[name], f"{what}, as bits of {name}: expected {INFINITY[name]:X}, yours {bits:X}"


@pytest.mark.todo("minus_infinity")
@pytest.mark.parametrize("name", ["float64", "int32", "int16", "uint32", "bool"])
def test_other_dtypes_are_refused(lab, name):
    """Other dtypes raise an error that names them."""
    error = check_raises(ValueError, lambda: lab.minus_infinity(np.dtype(name)), f"minus_infinity({name})")
    assert name in str(error), f"minus_infinity({name}): the ValueError must name {name}; yours says: {error}"


# TODO 7: logits -------------------------------------------------------------------------------------------------------


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
    lines = [
        f"{what}: row {row}, column {column}: expected {right}, yours {_number(logits[row, column], name)}",
        *masked_picture(wanted, masked, kept).splitlines(),
    ]
    raise AssertionError("\n    ".join(lines) + (f"\n(In all {len(wrong)} of {wanted.size} logits are wrong.)"))


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
    logits, bitmask = lay(before), bitmask_of(rows, size, tail=tail)
    words = bitmask.copy()
    only = "" if constrained is None else f", only rows {list(constrained)}"
    what = f"{name}[{len(rows)}, {n_columns}] logits for {size} tokens{only}, bitmask {bitmask.tolist()}"
    if constrained is not None:
        more["rows"] = np.array(constrained, np.int32)
    with reporting(what):
        got = function(logits, bitmask, size, **more)
    check_type(got, type(None), "what changes its argument in place")
    check_masked(logits, before, wanted_of(rows, size, n_columns, constrained), name, what)
    check_unchanged(bitmask, words, "the bitmask")


def every_second_column(logits: np.ndarray) -> np.ndarray:
    """Return the logits in every second column of a larger array."""
    wide = np.zeros((len(logits), 2 * logits.shape[1]), logits.dtype)
    wide[:, ::2] = logits
    return wide[:, ::2]


def part_of_rows(logits: np.ndarray) -> np.ndarray:
    """Return the logits in rows that are five elements longer."""
    wide = np.zeros((len(logits), logits.shape[1] + 5), logits.dtype)
    wide[:, : logits.shape[1]] = logits
    return wide[:, : logits.shape[1]]


def every_second_row(logits: np.ndarray) -> np.ndarray:
    """Return the logits in every second row of a larger array."""
    tall = np.zeros((2 * len(logits), logits.shape[1]), logits.dtype)
    tall[::2] = logits
    return tall[::2]


def column_by_column(logits: np.ndarray) -> np.ndarray:
    """Return the logits in column order."""
    return np.asfortranarray(logits)


LAYOUTS = [every_second_column, part_of_rows, every_second_row, column_by_column]
MIXED = [[0, 31, 32, 63], [], [5], [31], [64, 69], list(range(70))]


@pytest.mark.todo("apply")
@pytest.mark.parametrize("name", FORMATS)
def test_apply_in_each_format(lab, name):
    """Allowed logits keep every bit, NaN and -0.0 too; token 31 and its neighbours, full and empty rows are tried."""
    check_apply(lab.apply, MIXED, 70, 70, name)


@pytest.mark.todo("apply")
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("n_columns", [71, 96, 128])
def test_padding_is_no_token(lab, name, n_columns):
    """The padding is masked in every row, whatever the tail of the last word is."""
    check_apply(lab.apply, MIXED, 70, n_columns, name)
    check_apply(lab.apply, MIXED, 70, n_columns, name, tail=True)


@pytest.mark.todo("apply")
@pytest.mark.parametrize("constrained", [[1, 4], [5, 0], [2], []], ids=str)
def test_only_constrained_rows(lab, constrained):
    """No logit of another row changes, not even in the padding."""
    check_apply(lab.apply, MIXED, 70, 80, "float32", constrained)
    check_apply(lab.apply, MIXED, 70, 80, "bfloat16", constrained)


@pytest.mark.todo("apply")
@pytest.mark.parametrize("lay", LAYOUTS)
def test_logits_with_gaps_are_masked_in_place(lab, lay):
    """The caller's array changes, not a copy of it."""
    check_apply(lab.apply, MIXED, 70, 80, "float32", lay=lay)
    check_apply(lab.apply, MIXED, 70, 80, "float16", [0, 3], lay=lay)


@pytest.mark.todo("apply")
def test_a_masked_logit_has_no_share(lab):
    """Softmax gives the only allowed token all: minus infinity, not a large number."""
    logits = np.full((1, 33), -3e38, np.float32)
    lab.apply(logits, bitmask_of([[32]], 33), 33)
    powers = np.exp(logits[0] - logits[0].max())
    check_equal(
        (powers / powers.sum()).tolist(), [0.0] * 32 + [1.0], "the softmax of a row with one token of logit -3e38"
    )


@pytest.mark.todo("apply")
def test_apply_refuses_other_dtypes(lab):
    """An int32 array cannot hold logits."""
    what = "apply to logits of int32"
    error = check_raises(ValueError, lambda: lab.apply(np.zeros((1, 5), np.int32), bitmask_of([[1]], 5), 5), what)
    assert "int32" in str(error), f"{what}: the ValueError must name int32; yours says: {error}"


@FEW
@given(some_rows(least_rows=1), st.data())
@pytest.mark.todo("apply")
def test_apply_to_any_batch(lab, drawn, data):
    """Any size, padding, format, layout and choice of rows is masked."""
    size, rows = drawn
    constrained = data.draw(st.none() | st.lists(st.integers(0, len(rows) - 1), unique=True))
    n_columns, name = size + data.draw(st.integers(0, 40)), data.draw(st.sampled_from(FORMATS))
    check_apply(
        lab.apply, rows, size, n_columns, name, constrained, lay=data.draw(st.sampled_from([np.array, *LAYOUTS]))
    )


# TODO 8 and 9 ---------------------------------------------------------------------------------------------------------


@pytest.mark.todo("grid_of")
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ((4, 96, 32), (4, 3)),
        ((4, 97, 32), (4, 4)),
        ((1, 1, 1024), (1, 1)),
        ((3, 95, 32), (3, 3)),
        ((256, 131072, 4096), (256, 32)),
    ],
)
def test_the_grid(lab, question, expected):
    """There is a program for each row and each block of columns, the last of which need not be full."""
    got = lab.grid_of(*question)
    check_type(got, tuple, f"grid_of{question}")
    check_equal(got, expected, f"grid_of{question}")


def check_block(
    lab, ids, size: int, n_columns: int, block_id: int, block: int, name: str = "float32", *, step=1, tail=False
):
    """Assert what one program does to one block of a row, and that it changes nothing elsewhere."""
    before = logits_of(name, (1, n_columns), seed=3)
    memory = np.zeros((1, n_columns * step), before.dtype)
    memory[:, ::step] = before
    logits, words = memory[0, ::step], bitmask_of([ids], size, tail=tail)[0]
    what = f"mask_block {block_id} of {block} columns, row of {n_columns} for {size} tokens, words {words.tolist()}"
    with reporting(what):
        lab.mask_block_on_device(logits, words, size, block_id, block)
    wanted = wanted_of([ids], size, n_columns, None)
    columns = np.arange(n_columns)
    wanted &= (columns >= block_id * block) & (columns < (block_id + 1) * block)
    check_masked(logits[None], before, wanted, name, what)


@pytest.mark.todo("mask_block")
@pytest.mark.parametrize("name", FORMATS)
def test_one_block_of_one_row(lab, name):
    """The sign bit, the neighbours of a word's edge, full and empty words are tried."""
    for ids in ([0, 2], [31], [30, 32, 63], list(range(64)), []):
        check_block(lab, ids, 64, 64, 0, 64, name)


@pytest.mark.todo("mask_block")
@pytest.mark.parametrize("block_id", [0, 1, 2])
def test_blocks_of_a_longer_row(lab, block_id):
    """Each block reads its own words, and leaves its neighbours alone."""
    check_block(lab, [0, 31, 33, 64, 95, 96, 127, 128, 191], 192, 192, block_id, 64)
    check_block(lab, [0, 31, 33, 64, 95], 96, 96, block_id, 32)


@pytest.mark.todo("mask_block")
@pytest.mark.parametrize(("size", "n_columns"), [(40, 40), (40, 45), (33, 64), (31, 32), (5, 5)])
def test_a_block_that_reaches_beyond_the_row(lab, size, n_columns):
    """Nothing is written from column C on, and nothing read after the last word; the stand-in reports it."""
    for ids in ([0, size - 1], [size - 1], []):
        check_block(lab, ids, size, n_columns, 0, 64)
        check_block(lab, ids, size, n_columns, 0, 64, tail=True)


@pytest.mark.todo("mask_block")
def test_a_block_of_padding_alone(lab):
    """A block of padding has no words, and is masked entirely."""
    check_block(lab, [0, 31], 32, 64, 1, 32)
    check_block(lab, [0, 31], 32, 50, 1, 32)
    check_block(lab, [3], 40, 200, 2, 64)


@pytest.mark.todo("mask_block")
def test_logits_that_do_not_lie_side_by_side(lab):
    """Column i is column_stride * i elements after the first."""
    check_block(lab, [0, 31, 40], 45, 50, 0, 64, step=2)
    check_block(lab, [0, 31, 40], 45, 50, 1, 32, "float16", step=3)


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
        ([0, 31, 33], 64, 64, 0, 2, 61),
        ([69], 70, 80, 1, 1, 15),
        (range(64), 64, 64, 0, 2, 0),
        ([3], 40, 200, 2, 0, 64),
    ],
    ids=["two_words", "the_end_of_a_row", "all_allowed", "padding_alone"],
)
@pytest.mark.parametrize("name", FORMATS)
def test_each_word_is_loaded_once_and_no_logit(lab, name, ids, size, n_columns, block_id, n_words, n_masked):
    """A kernel waits for memory: it loads each word of its block once, loads no logit, and stores each -inf once."""
    logits, words = logits_of(name, (1, n_columns))[0], bitmask_of([list(ids)], size)[0]
    expected = {"words_ptr loaded": n_words, "logits_ptr loaded": 0, "logits_ptr stored": n_masked}
    check_moved(lab, expected, "mask_block_on_device", logits, words, size, block_id, 64)


# TODO 10 and 11 -------------------------------------------------------------------------------------------------------


@pytest.mark.todo("apply_bitmask_kernel")
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("block", [32, 64, 1024])
def test_the_kernel_does_what_apply_does(lab, name, block):
    """Every row is masked by its own words, in blocks of any size, with and without padding and garbage in the tail."""
    check_apply(lab.apply_on_device, MIXED, 70, 70, name, block=block)
    check_apply(lab.apply_on_device, MIXED, 70, 101, name, tail=True, block=block)


@pytest.mark.todo("apply_bitmask_kernel")
@pytest.mark.parametrize("lay", LAYOUTS)
def test_the_kernel_goes_by_the_strides(lab, lay):
    """Rows of logits may be further apart than they are long, or closer than the next column."""
    check_apply(lab.apply_on_device, MIXED, 70, 80, "float32", lay=lay, block=32)


@pytest.mark.todo("apply_bitmask_kernel")
def test_the_rows_of_the_bitmask_may_lie_apart(lab):
    """An engine's buffer of words has a row stride of its own."""
    buffer = np.full((6, 5), -1, np.int32)
    bitmask = buffer[::2, 1:4]
    bitmask[:] = bitmask_of(MIXED[:3], 70)
    before = logits_of("float32", (3, 70))
    logits = before.copy()
    lab.apply_on_device(logits, bitmask, 70, block=32)
    check_masked(
        logits, before, wanted_of(MIXED[:3], 70, 70, None), "float32", "a bitmask of every second row of a buffer"
    )


@FEW
@given(some_rows(least_rows=1, most_tokens=70), st.sampled_from(FORMATS), st.integers(0, 40), st.sampled_from([32, 64]))
@pytest.mark.todo("apply_bitmask_kernel")
def test_the_kernel_on_any_batch(lab, drawn, name, padding, block):
    """Any rows, size and padding are masked."""
    size, rows = drawn
    check_apply(lab.apply_on_device, rows, size, size + padding, name, block=block)


@pytest.mark.todo("apply_rows_kernel")
@pytest.mark.parametrize("constrained", [[1, 4], [5, 0, 3], [2]], ids=str)
@pytest.mark.parametrize("name", FORMATS)
def test_the_kernel_for_some_rows(lab, name, constrained):
    """Rows in any order are masked, each by its own words; no other row changes."""
    check_apply(lab.apply_on_device, MIXED, 70, 80, name, constrained, block=64)
    check_apply(lab.apply_on_device, MIXED, 70, 80, name, [], block=64)


@pytest.mark.todo("apply_rows_kernel")
def test_the_kernel_for_some_rows_goes_by_the_strides(lab):
    """Every layout is masked."""
    for lay in LAYOUTS:
        check_apply(lab.apply_on_device, MIXED, 70, 80, "float32", [4, 1], lay=lay, block=32)


@pytest.mark.parametrize(
    ("rows", "n_words", "n_masked"),
    [
        pytest.param(None, 18, 402, marks=pytest.mark.todo("apply_bitmask_kernel")),
        pytest.param([4, 5], 6, 88, marks=pytest.mark.todo("apply_rows_kernel")),
    ],
    ids=["all", "some"],
)
def test_a_batch_moves_no_more_than_it_must(lab, rows, n_words, n_masked):
    """The words of each masked row are loaded once, and each of its masked logits is stored once."""
    logits, named = logits_of("float32", (len(MIXED), 80)), {} if rows is None else {"rows": np.array(rows, np.int32)}
    expected = {"bitmask_ptr loaded": n_words, "logits_ptr loaded": 0, "logits_ptr stored": n_masked}
    check_moved(lab, expected, "apply_on_device", logits, bitmask_of(MIXED, 70), 70, block=32, most=1, **named)


# TODO 12 --------------------------------------------------------------------------------------------------------------


@pytest.mark.todo("least_bytes")
@pytest.mark.parametrize(
    ("rows", "size", "n_columns", "itemsize", "expected"),
    [
        ([[0, 2], [1]], 3, 4, 2, 2 * 4 + 5 * 2),
        ([[0, 31, 32]], 33, 33, 4, 2 * 4 + 30 * 4),
        ([list(range(64))], 64, 64, 4, 2 * 4),
        ([list(range(40))], 40, 64, 2, 2 * 4 + 24 * 2),
        ([[], []], 32, 32, 4, 2 * 4 + 64 * 4),
        ([], 40, 64, 4, 0),
    ],
)
def test_the_least_bytes(lab, rows, size, n_columns, itemsize, expected):
    """Every word is read, every masked logit written, padding included; an allowed one is left alone."""
    for tail in (False, True):
        bitmask = bitmask_of(rows, size, tail=tail)
        what = f"least_bytes({bitmask.tolist()}, {size}, {n_columns}, {itemsize})"
        with reporting(what):
            got = lab.least_bytes(bitmask, size, n_columns, itemsize)
        check_type(got, int, what)
        check_equal(got, expected, what)


# TODO 13 to 15: tables ------------------------------------------------------------------------------------------------


def walks_of(token_bytes, eos_id: int) -> list[list[int]]:
    """Return the symbols of each token."""
    walks = [list(token) if token else [257] for token in token_bytes]
    walks[eos_id] = [256]
    return walks


@pytest.mark.todo("flatten_tokens")
@pytest.mark.parametrize(
    ("token_bytes", "eos_id"),
    [
        ([b"ab", b"c", None], 2),
        ([None, b"\xff\x00", b"abc", None], 0),
        ([b"a", None, b"bc", None, b"d"], 3),
        ([b"a", b"", b"b", None], 3),
        ([b"ab", b"</s>"], 1),
        ([b"a", b"<eos>", b"bc", None], 1),
        ([None], 0),
    ],
    ids=str,
)
def test_tokens_in_a_row(lab, token_bytes, eos_id):
    """Bytes are symbols; EOS is one symbol, also where it has bytes, and so is a token that is never text."""
    what = f"flatten_tokens({token_bytes}, {eos_id})"
    with reporting(what):
        got = lab.flatten_tokens(token_bytes, eos_id)
    check_type(got, tuple, what)
    symbols, offsets = got
    walks = walks_of(token_bytes, eos_id)
    check_array(symbols, np.int16, (sum(map(len, walks)),), f"{what}, the symbols")
    check_array(offsets, np.int32, (len(token_bytes) + 1,), f"{what}, the offsets")
    for token_id, walk in enumerate(walks):
        mine = symbols[offsets[token_id] : offsets[token_id + 1]].tolist()
        check_equal(mine, walk, f"{what}, the symbols of token {token_id}")
    check_equal(int(offsets[0]), 0, f"{what}, the first offset")


def steps_of(transitions, n: int) -> np.ndarray:
    """Return an automaton's steps, from a dictionary of transitions."""
    steps = np.full((n, 256), -1, np.int32)
    for (state, byte), target in transitions.items():
        steps[state, ord(byte)] = target
    return steps


def table_of(transitions, accepting: list[bool]) -> np.ndarray:
    """Return the expected table, with two more states, by plain loops."""
    n = len(accepting)
    return np.array(
        [[_target(transitions, accepting, state, symbol, n) for symbol in range(258)] for state in range(n + 2)],
        np.int32,
    )


def _target(transitions, accepting, state: int, symbol: int, n: int) -> int:
    if symbol == 256 and (state == n or (state < n and accepting[state])):
        return n
    return transitions.get((state, chr(symbol)), n + 1) if symbol < 256 else n + 1


AB = ({(0, "a"): 1, (1, "b"): 0, (1, "\xff"): 1}, [True, False])
"""(a(\\xFF)*b)*, over bytes."""

ONE = ({(0, "\x00"): 0}, [False])


@pytest.mark.todo("step_table")
@pytest.mark.parametrize(("transitions", "accepting"), [AB, ONE, ({}, [True, True, False])], ids=["AB", "ONE", "EMPTY"])
def test_a_table_without_an_exception(lab, transitions, accepting):
    """Every entry is a state: dead and finished have rows of their own."""
    steps = steps_of(transitions, len(accepting))
    before = steps.copy()
    with reporting(f"step_table of {len(accepting)} states, accepting {accepting}"):
        got = lab.step_table(steps, np.array(accepting))
    check_unchanged(steps, before, "the argument steps")
    expected = table_of(transitions, accepting)
    check_array(got, np.int32, expected.shape, "step_table")
    names = {len(accepting): "finished", len(accepting) + 1: "dead", -1: "-1"}
    for state, symbol in np.argwhere(got != expected).tolist()[:1]:
        right, mine = (names.get(int(each[state, symbol]), int(each[state, symbol])) for each in (expected, got))
        shown = {256: "EOS", 257: "what no text has"}.get(symbol, f"byte {symbol:02X}")
        where = names.get(state, state)
        raise AssertionError(f"step_table: from state {where} by {shown}: expected {right}, yours {mine}")


@pytest.mark.todo("mask_table")
@pytest.mark.parametrize(
    ("rows", "size", "eos_id"),
    [([[0, 2], [1]], 3, 2), ([[31], [], [39, 0]], 40, 31), ([[], []], 64, 63), ([[1, 32]], 33, 0), ([[32]], 33, 1)],
)
def test_a_row_for_every_state(lab, rows, size, eos_id):
    """There are rows for finished and dead; they and every empty row allow EOS alone."""
    masks = bitmask_of(rows, size)
    before = masks.copy()
    what = f"mask_table({masks.tolist()}, {eos_id})"
    with reporting(what):
        got = lab.mask_table(masks, eos_id)
    check_array(got, np.int32, (len(rows) + 2, n_words(size)), what)
    check_unchanged(masks, before, "the argument masks")
    check_equal(got.tolist(), [words_of(ids or [eos_id], size) for ids in [*rows, [], []]], what)


# TODO 16 and 17: states on the device ---------------------------------------------------------------------------------


@pytest.mark.todo("apply_states_kernel")
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("states", [[0, 1, 2], [2, 2, 5, 0, 0], [-1, 3, -1, 4], [-1], [5]], ids=str)
def test_rows_picked_by_state(lab, name, states):
    """Each row is masked by the words of its state; a row with state -1 is left alone."""
    table = bitmask_of(MIXED, 70, tail=True)
    rows = [[] if state < 0 else MIXED[state] for state in states]
    before = logits_of(name, (len(states), 80))
    logits, numbers = before.copy(), np.array(states, np.int32)
    what = f"apply_states_on_device of {name}, states {states}"
    with reporting(what):
        lab.apply_states_on_device(logits, numbers, table, 70, block=32)
    wanted = wanted_of(rows, 70, 80, [row for row, state in enumerate(states) if state >= 0])
    check_masked(logits, before, wanted, name, what)
    check_equal(numbers.tolist(), states, f"{what}, the states afterwards")


@pytest.mark.todo("apply_states_kernel")
def test_rows_picked_by_state_go_by_the_strides(lab):
    """The strides of the logits and of the table are used."""
    buffer = np.full((6, 7), -1, np.int32)
    buffer[:, 2:5] = bitmask_of(MIXED, 70)
    for lay in LAYOUTS:
        before = logits_of("float32", (3, 80))
        logits = lay(before)
        lab.apply_states_on_device(logits, np.array([4, -1, 3], np.int32), buffer[:, 2:5], 70, block=32)
        wanted = wanted_of([MIXED[4], [], MIXED[3]], 70, 80, [0, 2])
        check_masked(logits, before, wanted, "float32", f"apply_states_on_device, {lay.__name__}")


@pytest.mark.todo("apply_states_kernel")
def test_the_rows_of_states_are_loaded_once(lab):
    """The words of each constrained row are loaded once, and each of its masked logits is stored once."""
    logits, states = logits_of("float32", (4, 80)), np.array([4, -1, 5, 5], np.int32)
    expected = {"table_ptr loaded": 9, "logits_ptr loaded": 0, "logits_ptr stored": 98}
    check_moved(lab, expected, "apply_states_on_device", logits, states, bitmask_of(MIXED, 70), 70, block=32, most=1)


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
    what = f"advance_on_device of the states {states} by the tokens {[walks[token] for token in tokens]}"
    with reporting(what):
        lab.advance_on_device(numbers, np.array(tokens, np.int32), symbols, offsets, table)
    expected = [s if s < 0 else walked(table, s, walks[t]) for s, t in zip(states, tokens, strict=True)]
    check_array(numbers, np.int32, (len(states),), what)
    check_equal(numbers.tolist(), expected, what)


WALKS = [[97], [98], [97, 98], [97, 255, 255, 98], [257], [256], [97, 98, 97], [98, 97]]


@pytest.mark.todo("advance_kernel")
@pytest.mark.parametrize("state", [0, 1, 2, 3])
def test_one_state_by_every_token(lab, state):
    """Short and long tokens, EOS and tokens without text are walked, from live, finished and dead states."""
    table = table_of(*AB)
    for token in range(len(WALKS)):
        check_advance(lab, table, WALKS, [state], [token])


@pytest.mark.todo("advance_kernel")
def test_a_batch_advances(lab):
    """Each row advances from its own state by its own token; a state of -1 stays."""
    table = table_of(*AB)
    check_advance(lab, table, WALKS, [0, 1, -1, 0, 1, -1, 2], [0, 1, 2, 3, 5, 7, 5])
    check_advance(lab, table, WALKS, [-1], [0])


@FEW
@given(st.data())
@pytest.mark.todo("advance_kernel")
def test_any_table_and_any_tokens(lab, data):
    """Random walks through a random table are followed."""
    n = data.draw(st.integers(1, 5))
    table = np.random.default_rng(data.draw(st.integers(0, 99))).integers(0, n, (n, 258)).astype(np.int32)
    walks = data.draw(st.lists(st.lists(st.integers(0, 257), min_size=1, max_size=5), min_size=1, max_size=5))
    batch = st.tuples(st.integers(-1, n - 1), st.integers(0, len(walks) - 1))
    states, tokens = zip(*data.draw(st.lists(batch, min_size=1, max_size=5)), strict=True)
    check_advance(lab, table, walks, list(states), list(tokens))


@pytest.mark.todo("advance_kernel")
@pytest.mark.parametrize("tokens", [[0], [3], [6, 2, 5]], ids=["one_symbol", "four_symbols", "a_batch"])
def test_the_state_is_stored_once(lab, tokens):
    """A state is stored once for each row, after the walk; the walk looks up one entry for each symbol."""
    symbols, offsets = flat(WALKS)
    states = np.array([0] * len(tokens), np.int32)
    args = (states, np.array(tokens, np.int32), symbols, offsets, table_of(*AB))
    expected = {"states_ptr stored": len(tokens), "steps_ptr loaded": sum(len(WALKS[token]) for token in tokens)}
    check_moved(lab, expected, "advance_on_device", *args)


# Whole generations ----------------------------------------------------------------------------------------------------

TEXTS = [
    "0",
    "1",
    "12",
    ".",
    ".5",
    "1.",
    "a",
    "ab",
    "b",
    "ba",
    "é",
    "éa",
    "x",
    " ",
    "07",
    "yes",
    "ye",
    "s",
    "no",
    "n",
    "o",
]
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
    """A batch of five, one of them unconstrained, is sampled until EOS.

    At each step the logits are masked by the states on the device, a token is sampled, and the states advance there.
    The allowed tokens must be those of partial matches of ``regex``; a finished row allows EOS alone and stays so.
    """
    rng = np.random.default_rng(seed)
    tables = lab.tables_of(PATTERNS, VOCABULARY)
    finished = len(tables.masks) - 2
    which = [0, 1, None, 2, 0]
    states = np.array([-1 if p is None else tables.initial[p] for p in which], np.int32)
    texts: list[bytes | None] = [None if p is None else b"" for p in which]
    ended = [False] * len(which)
    for step in range(14):
        before = rng.normal(size=(len(which), SIZE + 6)).astype(np.float32)
        logits = before.copy()
        lab.apply_states_on_device(logits, states, tables.masks, SIZE, block=32)
        rows = [
            list(range(SIZE + 6)) if p is None else [1] if ended[i] else allowed_ids(PATTERNS[p], texts[i])
            for i, p in enumerate(which)
        ]
        wanted = wanted_of(rows, SIZE, SIZE + 6, None)
        check_masked(logits, before, wanted, "float32", f"step {step}, after the texts {texts}")
        tokens = [int(np.nanargmax(np.where(np.isneginf(row), np.nan, row))) for row in logits]
        tokens = [
            1 if step > 6 and 1 in ids and texts[i] is not None else t
            for i, (ids, t) in enumerate(zip(rows, tokens, strict=True))
        ]
        lab.advance_on_device(states, np.array(tokens, np.int32), tables.symbols, tables.offsets, tables.steps)
        for i, token in enumerate(tokens):
            if texts[i] is not None and token == 1:
                ended[i] = True
            elif texts[i] is not None:
                texts[i] += VOCABULARY.token_bytes[token]
        for i, state in enumerate(states.tolist()):
            if which[i] is None or ended[i]:
                check_equal(state, -1 if which[i] is None else finished, f"step {step}, the state of row {i}")
    for i, p in enumerate(which):
        if p is not None and ended[i]:
            assert re.fullmatch(PATTERNS[p], texts[i].decode()), (
                f"{texts[i]} was ended, and is no match of {PATTERNS[p]}"
            )


# TODO 18 --------------------------------------------------------------------------------------------------------------


@pytest.mark.todo("bytes_per_step")
@pytest.mark.parametrize(
    ("batch", "constrained", "size"), [(4, 2, 33), (256, 256, 131072), (1, 0, 32), (8, 3, 151669), (0, 0, 5)]
)
def test_what_each_design_sends(lab, batch, constrained, size):
    """Booleans, words, words of constrained rows with their numbers, state numbers, and nothing are counted."""
    words = len(range(0, size, 32))
    expected = {
        "booleans": batch * size,
        "words": batch * words * 4,
        "constrained rows": constrained * (words * 4 + 4),
        "state numbers": batch * 4,
        "states on the device": 0,
    }
    got = lab.bytes_per_step(batch, constrained, size)
    check_type(got, dict, "bytes_per_step")
    check_equal(got, expected, f"bytes_per_step({batch}, {constrained}, {size})")


# Promises of every function -------------------------------------------------------------------------------------------

THREE = np.array([[5], [0], [2]], np.int32)


def after(lab, name: str, place: int):
    """Return a function that calls another with a copy of what it overwrites, and returns the copy."""

    def call(*args):
        own = [np.array(arg) if index == place else arg for index, arg in enumerate(args)]
        getattr(lab, name)(*own)
        return own[place]

    return call


def guided(*rows: int):
    """Return a function from a state to a row of one word, the same array at each call."""
    words = np.array(rows, np.int32)[:, None]
    return lambda state: words[int(state)]


def masked(*rows) -> np.ndarray:
    """Return logits of 0, and of minus infinity at the letter x."""
    return np.array([[-np.inf if letter == "x" else 0 for letter in row] for row in rows], np.float32)


def flat_calls():
    """Return calls of ``flatten_tokens``."""

    def found(*walks):
        return flat(walks)

    return {
        "of a list": (([b"ab", None, b"c"], 2), found([97, 98], [257], [256])),
        "of as many other tokens": (([b"x", b"", b"c"], 2), found([120], [257], [256])),
        "of two tokens with the text of EOS": (((b"c", b"c", b"c"), np.int64(1)), found([99], [256], [99])),
        "of EOS alone": (([b"</s>"], 0), found([256])),
    }


def step_calls():
    """Return calls of ``step_table``."""
    calls = {}
    for number, (transitions, accepting) in enumerate([AB, ({(1, "a"): 0}, [False, True]), ONE]):
        args = (steps_of(transitions, len(accepting)), np.array(accepting))
        calls[f"of automaton {number}"] = (args, table_of(transitions, accepting))
    return calls


def a_plain_int(expected: int):
    """Return a check that a result is this number, and Python's own int."""

    def check(got, what: str) -> None:
        check_type(got, int, what)
        check_equal(got, expected, what)

    return check


def bytes_of(*sent: int) -> dict[str, int]:
    """Return what ``bytes_per_step`` gives for the designs that send something."""
    return dict(zip(["booleans", "words", "constrained rows", "state numbers"], sent, strict=True)) | {
        "states on the device": 0
    }


EMPTY_ROWS = np.zeros((0, 1), np.int32)
PROMISES = {
    "words_for": (
        "words_for",
        {
            "of 33": ((33,), a_plain_int(2)),
            "of NumPy's 64": ((np.int64(64),), a_plain_int(2)),
            "of NumPy's 65": ((np.int32(65),), a_plain_int(3)),
            "of one token": ((1,), a_plain_int(1)),
        },
    ),
    "pack": (
        "pack",
        {
            "of [[1, 0, 1]]": ((np.array([[True, False, True]]),), np.array([[5]], np.int32)),
            "of [[0, 1, 0]]": ((np.array([[False, True, False]]),), np.array([[2]], np.int32)),
            "of no rows": ((np.zeros((0, 3), bool),), EMPTY_ROWS),
        },
    ),
    "unpack": (
        "unpack",
        {
            "of [5]": ((np.array([[5]], np.int32), 3), np.array([[True, False, True]])),
            "of [-6], a tail of ones": ((np.array([[-6]], np.int32), np.int64(3)), np.array([[False, True, False]])),
        },
    ),
    "refuse_empty_rows": (
        "refuse_empty_rows",
        {
            "of [5, 0, 2]": ((THREE, 3), EmptyRow),
            "of [5, 2]": ((THREE[::2], 3), None),
            "of [-8], a tail of ones": ((np.array([[-8]], np.int32), 3), EmptyRow),
        },
    ),
    "fill": (
        "fill",
        {
            "of two guides in one state": (
                ([guided(1, 2), guided(4, 1)], (1, 1), THREE[:2], 3),
                np.array([[2], [1]], np.int32),
            ),
            "of tuples": (((None, guided(1, 2)), (0, 0), THREE[:2], 3), np.array([[-1], [1]], np.int32)),
            "of NumPy's states": (
                ([guided(1, 2), None], np.array([1, 0]), THREE[:2], 3),
                np.array([[2], [-1]], np.int32),
            ),
            "of no requests": (([], [], EMPTY_ROWS, 3), EMPTY_ROWS),
        },
    ),
    "minus_infinity": (
        "minus_infinity",
        {
            "of float32": ((np.dtype(np.float32),), np.float32(-np.inf)),
            "of float16": ((np.dtype(np.float16),), np.float16(-np.inf)),
            "of raw bits": ((np.dtype(np.uint16),), np.uint16(0xFF80)),
            "of float64": ((np.dtype(np.float64),), ValueError),
        },
    ),
    "apply": (
        "apply",
        {
            "to all rows": ((masked("....", "....", "...."), THREE, 3), masked(".x.x", "xxxx", "x.xx")),
            "to a list of rows": ((masked("....", "....", "...."), THREE, 3, [0, 2]), masked(".x.x", "....", "x.xx")),
            "to a tuple of rows": ((masked("....", "....", "...."), THREE, 3, (1, 2)), masked("....", "xxxx", "x.xx")),
            "to an array of rows": (
                (masked("....", "....", "...."), THREE, 3, np.array([0], np.int32)),
                masked(".x.x", "....", "...."),
            ),
            "of another bitmask": ((masked("....", "....", "...."), THREE[::-1], 3), masked("x.xx", "xxxx", ".x.x")),
        },
    ),
    "grid_of": ("grid_of", {"of no rows": ((0, 96, 32), (0, 3)), "of 97 columns": ((2, 97, 32), (2, 4))}),
    "mask_block": (
        "mask_block_on_device",
        {
            "of the words 5": ((masked("....")[0], np.array([5], np.int32), 3, 0, 32), masked(".x.x")[0]),
            "of the words 2": ((masked("....")[0], np.array([2], np.int32), 3, 0, 32), masked("x.xx")[0]),
            "of another vocabulary": ((masked("....")[0], np.array([2], np.int32), 1, 0, 32), masked("xxxx")[0]),
            "of a block after the row": ((masked("....")[0], np.array([0], np.int32), 3, 1, 32), masked("....")[0]),
        },
    ),
    "apply_bitmask_kernel": (
        "apply_on_device",
        {
            "of [5, 0, 2]": ((masked("....", "....", "...."), THREE, 3), masked(".x.x", "xxxx", "x.xx")),
            "of [2, 0, 5]": ((masked("....", "....", "...."), THREE[::-1].copy(), 3), masked("x.xx", "xxxx", ".x.x")),
            "of one row": ((masked("...."), THREE[2:], 2), masked("x.xx")),
            "of no rows": ((np.zeros((0, 4), np.float32), EMPTY_ROWS, 3), np.zeros((0, 4), np.float32)),
        },
    ),
    "apply_rows_kernel": (
        "apply_on_device",
        {
            "to rows 0 and 2": (
                (masked("....", "....", "...."), THREE, 3, np.array([0, 2], np.int32)),
                masked(".x.x", "....", "x.xx"),
            ),
            "to rows 2 and 1": (
                (masked("....", "....", "...."), THREE, 3, np.array([2, 1], np.int32)),
                masked("....", "xxxx", "x.xx"),
            ),
            "to no rows": ((masked("....", "....", "...."), THREE, 3, np.zeros(0, np.int32)), masked(*["...."] * 3)),
        },
    ),
    "least_bytes": (
        "least_bytes",
        {
            "of [5, 0, 2]": ((THREE, 3, 4, 2), 12 + 18),
            "of [2, 0, 5] and float32": ((THREE[::-1], 3, 4, 4), 12 + 36),
            "of no rows": ((EMPTY_ROWS, 3, 4, 2), 0),
        },
    ),
    "flatten_tokens": ("flatten_tokens", flat_calls()),
    "step_table": ("step_table", step_calls()),
    "mask_table": (
        "mask_table",
        {
            "of [5, 0, 2]": ((THREE, 1), np.array([[5], [2], [2], [2], [2]], np.int32)),
            "of another EOS": ((THREE, np.int64(0)), np.array([[5], [1], [2], [1], [1]], np.int32)),
            "of words that sum to 0": (
                (np.array([[1, -1]], np.int32), 2),
                np.array([[1, -1], [4, 0], [4, 0]], np.int32),
            ),
            "of no states": ((EMPTY_ROWS, 0), np.array([[1], [1]], np.int32)),
        },
    ),
    "apply_states_kernel": (
        "apply_states_on_device",
        {
            "of the states 0, 2": (
                (masked("....", "...."), np.array([0, 2], np.int32), THREE, 3),
                masked(".x.x", "x.xx"),
            ),
            "of the states -2, 0": (
                (masked("....", "...."), np.array([-2, 0], np.int32), THREE, 3),
                masked("....", ".x.x"),
            ),
        },
    ),
    "advance_kernel": (
        "advance_on_device",
        {
            "of the states 0, 1": (
                (np.array([0, 1], np.int32), np.array([0, 1], np.int32), *flat(WALKS), table_of(*AB)),
                np.array([1, 0], np.int32),
            ),
            "of the states -2, 0": (
                (np.array([-2, 0], np.int32), np.array([0, 2], np.int32), *flat(WALKS), table_of(*AB)),
                np.array([-2, 0], np.int32),
            ),
        },
    ),
    "bytes_per_step": (
        "bytes_per_step",
        {
            "of four requests": ((4, 2, 33), bytes_of(132, 32, 24, 16)),
            "of as many other requests": ((4, 1, 33), bytes_of(132, 32, 12, 16)),
            "of whole words": ((2, 0, 64), bytes_of(128, 16, 0, 8)),
            "of no requests": ((0, 0, 33), bytes_of(0, 0, 0, 0)),
        },
    ),
}
"""For each TODO, a function and its calls; of a function that overwrites an argument, what it writes there."""

OVERWRITTEN = {
    "fill": 2,
    "apply": 0,
}
"""Where the argument stands that a function overwrites; that of a launch is the first."""


@pytest.mark.parametrize(
    ("name", "calls"),
    [pytest.param(*each, marks=pytest.mark.todo(todo), id=each[0]) for todo, each in PROMISES.items()],
)
def test_calls_leave_everything_else_alone(lab, name, calls):
    """Arguments stay as they are, results are new objects, and no call remembers another."""
    if name in OVERWRITTEN or name.endswith("_on_device"):
        lab = SimpleNamespace(in_place=lab.in_place, **{name: after(lab, name, OVERWRITTEN.get(name, 0))})
    check_promises(lab, name, calls)
