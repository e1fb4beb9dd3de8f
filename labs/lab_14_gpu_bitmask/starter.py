# Your file for lab 14. Replace each `raise NotImplementedError` by code of your own, in any order.
# How far you are:  LAB_IMPL=starter pytest labs/lab_14_gpu_bitmask
#             (or:  python -m course test 14)
# Stuck on TODO 1:  python -m course hint 14.1
# The README beside this file explains the idea.

"""Lab 14: the bitmask reaches the device where the logits are.

Packed rows of lab 07 become a batch, and are applied to logits: first in NumPy, then by a kernel in Triton's language,
which runs in ``labkit.gpu`` on any laptop. At the end the rows stay on the device, the host sends a number for each
request, and the device finds the next state by itself. What this leaves out: sampling, and how an engine overlaps all
this with the forward pass (lab 09).
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.errors import EmptyRow
from labkit.gpu import device_logits, element_strides, jit, tl
from labkit.vocabulary import Vocabulary
from labs.lab_07_bytes_and_vocabularies.solution import TokenVocabularyIndex, text_bytes
from labs.lab_14_gpu_bitmask.given.token_automata import Tables, automaton_of

MaskOf = Callable[[int], NDArray[np.int32]]
"""From a state to its packed row: lab 07's ``TokenFSM.mask``, or a guide's."""

Logits = NDArray[Any]
"""``[batch, C]`` with C of at least V columns: float32, float16, or uint16 that holds the raw bits of bfloat16."""

BLOCK = 1024
"""How many columns a program of a kernel masks, unless told otherwise."""

FREE = -1
"""The state, on the device, of a request without a constraint."""

EOS_SYMBOL, NO_TEXT, SYMBOLS = 256, 257, 258
"""After the 256 bytes: the end of the text, and what no text has."""


# Words ------------------------------------------------------------------------------------------------------------


def words_for(vocab_size: int) -> int:
    """How many words of 32 bits a row of a bitmask has.

    Args:
        vocab_size: V, the number of token ids.

    Returns:
        The fewest words that hold V bits.

    >>> words_for(64), words_for(65)
    (2, 3)
    """
    raise NotImplementedError("lab 14, TODO 1 (about 1 line): V / 32, rounded up")


def pack(allowed: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Masks of a batch in words of 32 tokens: lab 07's row, many times. Every row begins with a word of its own.

    Args:
        allowed: ``bool[batch, V]``, with any strides.

    Returns:
        ``int32[batch, ceil(V / 32)]``: bit t % 32 of word t // 32 is token t, bit 0 being the lowest. Token 31 is the
        sign of its word. The bits after the last token are 0.

    >>> pack(np.array([[True, False, True], [False, True, False]])).tolist(), pack(np.arange(40)[None] >= 31).tolist()
    ([[5], [2]], [[-2147483648, 255]])
    """
    raise NotImplementedError("lab 14, TODO 2 (about 5 lines): 32 bits a word, row by row")


def unpack(bitmask: NDArray[np.int32], vocab_size: int) -> NDArray[np.bool_]:
    """The way back: which tokens the words allow.

    Args:
        bitmask: ``int32[batch, ceil(V / 32)]``, with any strides. What its last bits say, after token V - 1, does not
            count.

    Returns:
        ``bool[batch, V]``.

    >>> unpack(np.array([[5], [-(1 << 31)]], np.int32), 3).tolist()
    [[True, False, True], [False, False, False]]
    """
    raise NotImplementedError("lab 14, TODO 3 (about 3 lines): shift, and keep the lowest bit")


# The rows of a batch ----------------------------------------------------------------------------------------------


def refuse_empty_rows(bitmask: NDArray[np.int32], vocab_size: int) -> None:
    """Stop a row that allows no token: all its logits would be -inf, and softmax would make them NaN without a word.

    Args:
        bitmask: ``int32[batch, ceil(V / 32)]``.

    Raises:
        EmptyRow: with the number of the first such row. Bits after token V - 1 allow nothing.

    >>> refuse_empty_rows(np.array([[5], [2]], np.int32), 3)
    >>> refuse_empty_rows(np.array([[5], [8]], np.int32), 3)
    Traceback (most recent call last):
    labkit.errors.EmptyRow: row 1 of the bitmask allows no token: the softmax of its logits would be 0 / 0
    """
    raise NotImplementedError("lab 14, TODO 4 (about 3 lines): the first empty row is an error")


def fill(
    masks: Sequence[MaskOf | None], states: Sequence[int], out: NDArray[np.int32], vocab_size: int
) -> NDArray[np.int32]:
    """Write the row of each request of a batch; some have no constraint.

    Args:
        masks: for each request its guide's function from a state to a row, asked once in a step; or None without a
            constraint.
        states: the state of each request; of one without a constraint it means nothing.
        out: ``int32[batch, ceil(V / 32)]``, overwritten; it still holds the rows of the step before.

    Returns:
        ``int32[n]``: the numbers of the rows that are constrained, ascending. In all others every bit is set, so that
        a kernel that applies them all the same does no harm.

    Raises:
        EmptyRow: if the row of a request allows no token. A finished request does not belong in the batch.

    >>> out = np.zeros((2, 1), np.int32)
    >>> fill([None, lambda state: np.array([4 + state], np.int32)], [0, 1], out, 3).tolist(), out.tolist()
    ([1], [[-1], [5]])
    """
    raise NotImplementedError("lab 14, TODO 5 (about 6 lines): one row for each request")


# Applied in NumPy -------------------------------------------------------------------------------------------------


def minus_infinity(dtype: np.dtype[Any]) -> Any:
    """Minus infinity, as logits of a dtype hold it: an exponential of it is 0, whatever the other logits are.

    Args:
        dtype: float32, float16, or uint16, which stands for the raw bits of bfloat16: the upper half of a float32.

    Returns:
        A scalar of that dtype.

    Raises:
        ValueError: for any other dtype, naming it.

    >>> minus_infinity(np.dtype(np.float16)), hex(minus_infinity(np.dtype(np.uint16)))
    (np.float16(-inf), '0xff80')
    """
    raise NotImplementedError("lab 14, TODO 6 (about 5 lines): -inf in three formats")


def apply(
    logits: Logits, bitmask: NDArray[np.int32], vocab_size: int, rows: Sequence[int] | NDArray[np.int32] | None = None
) -> None:
    """Set the logits of tokens that are not allowed to -inf, in place; all others keep every bit.

    A row whose words allow nothing becomes all -inf: it should never have come here (``refuse_empty_rows``).

    Args:
        logits: ``[batch, C]`` with any strides. Columns V to C - 1 are padding: no token, and never allowed.
        bitmask: ``int32[batch, ceil(V / 32)]``; row i belongs to row i of the logits.
        rows: the rows that are constrained, all if None; no other row is touched, not even its padding.

    Raises:
        ValueError: if the logits are of a dtype that ``minus_infinity`` does not have.

    >>> logits = np.zeros((2, 4), np.float32)
    >>> apply(logits, np.array([[5], [2]], np.int32), 3, rows=[1])
    >>> logits.tolist()
    [[0.0, 0.0, 0.0, 0.0], [-inf, 0.0, -inf, -inf]]
    """
    raise NotImplementedError("lab 14, TODO 7 (about 5 lines): -inf in place, padding included")


# Applied by a kernel ----------------------------------------------------------------------------------------------


def grid_of(n_rows: int, n_columns: int, block: int) -> tuple[int, int]:
    """How many programs it takes: along the first axis one for each row, along the second one for each block.

    Args:
        n_columns: the columns of the logits, padding included.
        block: how many columns one program masks.

    >>> grid_of(4, 96, 32), grid_of(4, 97, 32)
    ((4, 3), (4, 4))
    """
    raise NotImplementedError("lab 14, TODO 8 (about 1 line): programs along each axis")


@jit
def mask_block(
    logits_ptr: tl.tensor,
    column_stride: tl.tensor,
    words_ptr: tl.tensor,
    vocab_size: tl.tensor,
    n_columns: tl.tensor,
    block: tl.tensor,
    BLOCK: tl.constexpr,
) -> None:
    """Mask one block of one row: the columns block * BLOCK to block * BLOCK + BLOCK - 1 of it.

    Load each word once, as a block of BLOCK // 32; make it two-dimensional, a line for each word and a column for each
    bit; and store -inf where it must be, without loading a logit.

    Args:
        logits_ptr: the row's first logit; ``column_stride`` elements on is the next.
        words_ptr: the row's first word; the next lies after it.
        vocab_size: V. After its last bit the words end, and what the last word says there does not count.
        n_columns: C. After it there is nothing to store.
        block: the number of the block, from 0.
        BLOCK: a power of two, at least 32.
    """
    raise NotImplementedError("lab 14, TODO 9 (about 6 lines): mask one block of one row")


@jit
def apply_bitmask_kernel(
    logits_ptr: tl.tensor,
    row_stride: tl.tensor,
    column_stride: tl.tensor,
    bitmask_ptr: tl.tensor,
    bitmask_stride: tl.tensor,
    vocab_size: tl.tensor,
    n_columns: tl.tensor,
    BLOCK: tl.constexpr,
) -> None:
    """Mask every row: program (i, j) masks block j of row i, with row i of the bitmask.

    Args:
        row_stride, column_stride: how many elements it is from a logit to the one below it, and to the next.
        bitmask_stride: how many words it is from a row of the bitmask to the next.
    """
    raise NotImplementedError("lab 14, TODO 10 (about 4 lines): which row, which block")


@jit
def apply_rows_kernel(
    logits_ptr: tl.tensor,
    row_stride: tl.tensor,
    column_stride: tl.tensor,
    bitmask_ptr: tl.tensor,
    bitmask_stride: tl.tensor,
    rows_ptr: tl.tensor,
    vocab_size: tl.tensor,
    n_columns: tl.tensor,
    BLOCK: tl.constexpr,
) -> None:
    """Mask constrained rows only: program (i, j) masks block j of row ``rows[i]``, with that row of the bitmask.

    Args:
        rows_ptr: ``int32[n]``: the rows; the grid has n programs along its first axis.
    """
    raise NotImplementedError("lab 14, TODO 11 (about 4 lines): the rows in a list")


def mask_block_on_device(logits: Any, words: Any, vocab_size: int, block_id: int, block: int) -> None:
    """Given: one program, which masks one block of one row.

    Args:
        logits: ``[C]``.
        words: ``int32[ceil(V / 32)]``.

    >>> logits = np.zeros(4, np.float32)
    >>> mask_block_on_device(logits, np.array([5], np.int32), 3, block_id=0, block=32)
    >>> logits.tolist()
    [0.0, -inf, 0.0, -inf]
    """
    (stride,) = element_strides(logits)
    mask_block[(1,)](device_logits(logits), stride, words, vocab_size, len(logits), block_id, BLOCK=block)


def apply_on_device(logits: Any, bitmask: Any, vocab_size: int, rows: Any = None, block: int = BLOCK) -> None:
    """Given: the launch of a kernel; what it does is what ``apply`` does.

    Args:
        logits, bitmask, rows: as for ``apply``, ``rows`` as ``int32[n]``: arrays of NumPy for the stand-in, tensors of
            torch on the same device for Triton. The words of a row of the bitmask lie side by side.
        block: how many columns a program masks: a power of two, at least 32.

    >>> logits = np.zeros((2, 4), np.float32)
    >>> apply_on_device(logits, np.array([[5], [2]], np.int32), 3, rows=np.array([1], np.int32))
    >>> logits.tolist()
    [[0.0, 0.0, 0.0, 0.0], [-inf, 0.0, -inf, -inf]]
    """
    n_rows, n_columns = len(logits) if rows is None else len(rows), logits.shape[1]
    if n_rows and rows is None:
        grid = grid_of(n_rows, n_columns, block)
        apply_bitmask_kernel[grid](*_strided(logits, bitmask), vocab_size, n_columns, BLOCK=block)
    elif n_rows:
        grid = grid_of(n_rows, n_columns, block)
        apply_rows_kernel[grid](*_strided(logits, bitmask), rows, vocab_size, n_columns, BLOCK=block)


def _strided(logits: Any, words: Any) -> tuple[Any, ...]:
    """Logits and words with their strides, as the kernels take them."""
    word_stride, along = element_strides(words)
    row_stride, column_stride = element_strides(logits)
    if len(logits) * row_stride >= 1 << 31:
        raise ValueError(f"logits of {list(logits.shape)}: the kernels count elements in int32, up to 2**31 of them")
    if along != 1 and words.shape[1] > 1:
        raise ValueError(f"the words of a row must lie side by side; these lie {along} apart")
    return device_logits(logits), row_stride, column_stride, words, word_stride


# A score without a clock ------------------------------------------------------------------------------------------


def least_bytes(bitmask: NDArray[np.int32], vocab_size: int, n_columns: int, itemsize: int) -> int:
    """The fewest bytes that must move to apply a bitmask: every word is read, and every masked logit is written.

    Args:
        bitmask: ``int32[batch, ceil(V / 32)]``.
        n_columns: the columns of the logits, padding included, which is masked too.
        itemsize: the bytes of a logit.

    Returns:
        An ``int``.

    >>> least_bytes(np.array([[5], [2]], np.int32), 3, 4, itemsize=2)
    18
    """
    raise NotImplementedError("lab 14, TODO 12 (about 3 lines): words read, logits written")


# States on the device ---------------------------------------------------------------------------------------------


def flatten_tokens(token_bytes: Sequence[bytes | None], eos_id: int) -> tuple[NDArray[np.int16], NDArray[np.int32]]:
    """The tokens as one row of symbols, and where each begins in it: what a device can walk.

    Args:
        token_bytes: the bytes of each token; None where it is never text (lab 07's ``text_bytes``).
        eos_id: the id of EOS.

    Returns:
        ``int16`` symbols, and ``int32[V + 1]`` offsets: token t is the symbols from ``offsets[t]`` to before
        ``offsets[t + 1]``. A byte is its own symbol, EOS is the one symbol ``EOS_SYMBOL``, and a token that is never
        text is the one symbol ``NO_TEXT``. So no token is without a symbol: one that were would leave every state as
        it is.

    >>> symbols, offsets = flatten_tokens([b"ab", None, b"c", None], eos_id=3)
    >>> symbols.tolist(), offsets.tolist()
    ([97, 98, 257, 99, 256], [0, 2, 3, 4, 5])
    """
    raise NotImplementedError("lab 14, TODO 13 (about 4 lines): tokens as symbols and offsets")


def step_table(steps: NDArray[np.int32], accepting: NDArray[np.bool_]) -> NDArray[np.int32]:
    """An automaton's steps with an end to everything, so that the device never meets an exception.

    Args:
        steps: ``int32[S, 256]``: the state after each byte, -1 where it is dead.
        accepting: ``bool[S]``.

    Returns:
        ``int32[S + 2, 258]``, without any -1. State S is finished, S + 1 is dead. EOS leads from an accepting state to
        finished, and from finished to finished; every other step that is not in ``steps`` leads to dead.

    >>> steps = np.full((1, 256), -1, np.int32)
    >>> steps[0, 97] = 0
    >>> table = step_table(steps, np.array([True]))
    >>> table.shape, table[:, 97].tolist(), table[:, 256].tolist(), table[:, 257].tolist()
    ((3, 258), [0, 2, 2], [1, 1, 2], [2, 2, 2])
    """
    raise NotImplementedError("lab 14, TODO 14 (about 5 lines): two more states, no -1")


def mask_table(masks: NDArray[np.int32], eos_id: int) -> NDArray[np.int32]:
    """An automaton's masks, so that the device finds a row for every state, and a token in every row.

    Args:
        masks: ``int32[S, ceil(V / 32)]``, which stay as they are. In a state without a way on a row may be empty.
        eos_id: the id of EOS.

    Returns:
        ``int32[S + 2, ceil(V / 32)]``. In the rows of the states finished, S, and dead, S + 1, and in every row that
        was empty, EOS alone is allowed: a device cannot raise, and the softmax of a row of -inf is no number. The host
        sees from the state that something is wrong: EOS leads from such a state to dead, and never to finished.

    >>> mask_table(np.array([[5], [0]], np.int32), eos_id=1).tolist()
    [[5], [2], [2], [2]]
    """
    raise NotImplementedError("lab 14, TODO 15 (about 4 lines): two more rows, none empty")


def tables_of(patterns: Sequence[str], vocabulary: Vocabulary) -> Tables:
    """Given: all that the device needs to know of some patterns and a vocabulary.

    >>> tables = tables_of(["1+", "a"], Vocabulary.toy())
    >>> tables.masks.tolist(), tables.initial.tolist()
    ([[8], [24], [1], [16], [16], [16]], [0, 2])
    """
    automaton = automaton_of(patterns, TokenVocabularyIndex(vocabulary))
    symbols, offsets = flatten_tokens(text_bytes(vocabulary), vocabulary.eos_id)
    masks = mask_table(automaton.masks, vocabulary.eos_id)
    return Tables(masks, step_table(automaton.steps, automaton.accepting), symbols, offsets, automaton.initial)


@jit
def apply_states_kernel(
    logits_ptr: tl.tensor,
    row_stride: tl.tensor,
    column_stride: tl.tensor,
    table_ptr: tl.tensor,
    table_stride: tl.tensor,
    states_ptr: tl.tensor,
    vocab_size: tl.tensor,
    n_columns: tl.tensor,
    BLOCK: tl.constexpr,
) -> None:
    """Mask each row by its state: program (i, j) masks block j of row i, with row ``states[i]`` of the table.

    Args:
        table_ptr: the rows of all states; ``table_stride`` words on is the next state's.
        states_ptr: ``int32[batch]``. A row whose state is ``FREE`` is left alone: below 0, for a kernel does not
            see the file's names.
    """
    raise NotImplementedError("lab 14, TODO 16 (about 5 lines): a row picked by state")


@jit
def advance_kernel(
    states_ptr: tl.tensor,
    tokens_ptr: tl.tensor,
    symbols_ptr: tl.tensor,
    offsets_ptr: tl.tensor,
    steps_ptr: tl.tensor,
    SYMBOLS: tl.constexpr,
) -> None:
    """Find the state after the sampled token: program i walks the symbols of token ``tokens[i]`` from ``states[i]``.

    Args:
        states_ptr: ``int32[batch]``, overwritten; a state that is ``FREE``, below 0, stays so.
        tokens_ptr: ``int32[batch]``: what was sampled.
        symbols_ptr, offsets_ptr: see ``flatten_tokens``.
        steps_ptr: the rows of ``step_table``, one after the other, each of SYMBOLS entries.
    """
    raise NotImplementedError("lab 14, TODO 17 (about 8 lines): walk the symbols, store the state")


def apply_states_on_device(logits: Any, states: Any, masks: Any, vocab_size: int, block: int = BLOCK) -> None:
    """Given: the launch of ``apply_states_kernel``.

    Args:
        logits: as for ``apply``.
        states: ``int32[batch]``.
        masks: ``int32[S + 2, ceil(V / 32)]``: see ``mask_table``.

    >>> logits = np.zeros((2, 3), np.float32)
    >>> apply_states_on_device(logits, np.array([FREE, 1], np.int32), np.array([[5], [2]], np.int32), 3)
    >>> logits.tolist()
    [[0.0, 0.0, 0.0], [-inf, 0.0, -inf]]
    """
    if len(logits):
        grid = grid_of(len(logits), logits.shape[1], block)
        apply_states_kernel[grid](*_strided(logits, masks), states, vocab_size, logits.shape[1], BLOCK=block)


def advance_on_device(states: Any, tokens: Any, symbols: Any, offsets: Any, steps: Any) -> None:
    """Given: the launch of ``advance_kernel``; ``states`` is overwritten.

    >>> tables = tables_of(["1+", "a"], Vocabulary.toy())
    >>> states = np.array([tables.initial[0], FREE, tables.initial[1]], np.int32)
    >>> advance_on_device(states, np.array([3, 3, 1], np.int32), tables.symbols, tables.offsets, tables.steps)
    >>> states.tolist()
    [1, -1, 5]
    """
    if len(states):
        advance_kernel[(len(states),)](states, tokens, symbols, offsets, steps, SYMBOLS=SYMBOLS)


def bytes_per_step(batch: int, n_constrained: int, vocab_size: int) -> dict[str, int]:
    """What the host sends to the device at each step so that a batch can be masked, in five designs.

    Args:
        n_constrained: how many rows of the batch have a constraint.

    Returns:
        Bytes, under these names: ``booleans`` (a byte for each token of each row), ``words`` (a packed row for each
        row), ``constrained rows`` (a packed row and an int32 row number for each constrained row), ``state numbers``
        (an int32 for each row, the table being on the device), and ``states on the device`` (which advance there).

    >>> bytes_per_step(4, 2, 33)
    {'booleans': 132, 'words': 32, 'constrained rows': 24, 'state numbers': 16, 'states on the device': 0}
    """
    raise NotImplementedError("lab 14, TODO 18 (about 8 lines): bytes sent by five designs")
