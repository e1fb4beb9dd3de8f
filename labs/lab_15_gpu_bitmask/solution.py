"""Lab 15: the masks of a batch, packed into bits and applied where the logits are.

The idea: apply packed rows to logits, first in NumPy and then with a kernel in Triton's language, which runs in
``labkit.gpu`` on any laptop. In an engine (optional): the rows stay on the device, and the device finds each
request's next state by itself. Sampling, and how an engine overlaps all this with the forward pass, are in lab 09.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.errors import EmptyRow
from labkit.gpu import device_logits, element_strides, jit, recorded, tl
from labkit.vocabulary import Vocabulary
from labs.lab_07_bytes_and_vocabularies.solution import TokenVocabularyIndex, text_bytes
from labs.lab_15_gpu_bitmask.given.token_automata import DeviceTables, automaton_of

MaskOf = Callable[[int], NDArray[np.int32]]
"""A function from a state to its packed row: lab 07's ``TokenFSM.mask``, or a guide's."""

Logits = NDArray[Any]
"""``[batch, C]``, C at least V: float32, float16, or uint16 with the raw bits of bfloat16."""

BLOCK = 1024
"""The default number of columns that one program masks."""

FREE = -1
"""On the device, the state of a request that has no constraint."""

EOS_SYMBOL, NO_TEXT, SYMBOLS = 256, 257, 258
"""The symbols after the 256 bytes: EOS, and a token without text; and how many symbols there are."""


# Given: sizes, minus infinity, and words of bits ---------------------------------------------------------------------


def words_for(vocab_size: int) -> int:
    """Return how many words of 32 bits a row takes: V / 32, rounded up. Given.

    >>> words_for(64), words_for(65)
    (2, 3)
    """
    return -(-int(vocab_size) // 32)  # // rounds down, so negate twice


def minus_infinity(dtype: np.dtype[Any]) -> Any:
    """Return minus infinity as a scalar of the logits' dtype. Given.

    Args:
        dtype: float32, float16, or uint16, which means the raw bits of bfloat16: the upper half of a float32.

    Raises:
        ValueError: for any other dtype, naming it.

    >>> minus_infinity(np.dtype(np.float16)), hex(minus_infinity(np.dtype(np.uint16)))
    (np.float16(-inf), '0xff80')
    """
    if dtype == np.uint16:
        return np.uint16(0xFF80)  # the upper half of FF800000
    if dtype not in (np.float32, np.float16):
        raise ValueError(f"logits are float32, float16, or bfloat16 as raw bits in uint16; these are {dtype}")
    return dtype.type("-inf")


def grid_of(n_rows: int, n_columns: int, block: int) -> tuple[int, int]:
    """Return the grid of a batch: a program for each row and each block of columns, full or not. Given.

    >>> grid_of(4, 96, 32), grid_of(4, 97, 32)
    ((4, 3), (4, 4))
    """
    return n_rows, -(-n_columns // block)


def pack(allowed: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Pack the masks of a batch into words of 32 tokens. Given.

    A mask has to travel to the device at each step, and as bits it's an eighth of what it is as booleans.

    Args:
        allowed: ``bool[batch, V]``, with any strides.

    Returns:
        ``int32[batch, ceil(V / 32)]``. Bit t % 32 of word t // 32 is token t, and bit 0 is the lowest, so token 31 is
        the sign of word 0. Every row starts with a word of its own, and the bits after the last token are 0.

    >>> pack(np.array([[True, False, True], [False, True, False]])).tolist(), pack(np.arange(40)[None] >= 31).tolist()
    ([[5], [2]], [[-2147483648, 255]])
    """
    batch, vocab_size = allowed.shape
    bits = np.zeros((batch, words_for(vocab_size) * 32), np.uint32)
    bits[:, :vocab_size] = allowed
    # subtle: in uint32 bit 31 is a bit like the others; the view keeps the bits and converts nothing.
    shifted = bits.reshape(batch, words_for(vocab_size), 32) << np.arange(32, dtype=np.uint32)
    words: NDArray[np.uint32] = np.bitwise_or.reduce(shifted, axis=2)
    return words.view(np.int32)


def unpack(bitmask: NDArray[np.int32], vocab_size: int) -> NDArray[np.bool_]:
    """Return which tokens the words allow: the inverse of ``pack``. Given.

    Args:
        bitmask: ``int32[batch, ceil(V / 32)]``, with any strides. Ignore the bits after token V - 1; another program
            may have set them.

    Returns:
        ``bool[batch, V]``.

    >>> unpack(np.array([[5], [-(1 << 31)]], np.int32), 3).tolist()
    [[True, False, True], [False, False, False]]
    """
    # subtle: shifting a negative word brings ones in from the left, so keep only the lowest bit.
    bits = (bitmask[:, :, None] >> np.arange(32, dtype=np.int32)) & 1
    allowed: NDArray[np.bool_] = bits.reshape(len(bitmask), bitmask.shape[1] * 32)[:, :vocab_size] == 1
    return allowed


# The idea: in NumPy -------------------------------------------------------------------------------------------------


def apply(
    logits: Logits, bitmask: NDArray[np.int32], vocab_size: int, rows: Sequence[int] | NDArray[np.int32] | None = None
) -> None:
    """Set the logits of tokens that are not allowed to -inf, in place. All other logits keep every bit.

    A row that allows nothing becomes all -inf, and that's fine here, because refusing such a row was ``fill``'s job.

    Args:
        logits: ``[batch, C]`` with any strides. Columns V to C - 1 are padding, which is never allowed.
        bitmask: ``int32[batch, ceil(V / 32)]``; row i belongs to row i of the logits.
        rows: the constrained rows; all if None. Don't touch any other row, not even its padding.

    Raises:
        ValueError: if ``minus_infinity`` doesn't know the dtype of the logits.

    >>> logits = np.zeros((2, 4), np.float32)
    >>> apply(logits, np.array([[5], [2]], np.int32), 3, rows=[1])
    >>> logits.tolist()
    [[0.0, 0.0, 0.0, 0.0], [-inf, 0.0, -inf, -inf]]
    """
    # begin TODO
    infinity = minus_infinity(logits.dtype)
    for row in range(len(logits)) if rows is None else rows:
        allowed = unpack(bitmask[row : row + 1], vocab_size)[0]
        # subtle: logits[row, :V] is a view, so the assignment reaches the caller's memory.
        logits[row, :vocab_size][~allowed] = infinity
        logits[row, vocab_size:] = infinity
    # end TODO


def fill(
    masks: Sequence[MaskOf | None], states: Sequence[int], out: NDArray[np.int32], vocab_size: int
) -> NDArray[np.int32]:
    """Write the row of each request of a batch into ``out``, and return which rows are constrained.

    Args:
        masks: for each request, the function of its guide that takes a state and returns a row, or None if the request
            is unconstrained. Call each once.
        states: the state of each request; ignore it if the request is unconstrained.
        out: ``int32[batch, ceil(V / 32)]``, overwritten. It still holds the rows of the step before.

    Returns:
        ``int32[n]``: the numbers of the constrained rows, ascending. In all other rows every bit is set, so that a
        kernel which applies them does no harm.

    Raises:
        EmptyRow: if a row allows no *token*, because the softmax of its logits would be 0 / 0. Its argument is the
            number of the first such row, an ``int``.

    >>> out = np.zeros((2, 1), np.int32)
    >>> fill([None, lambda state: np.array([4 + state], np.int32)], [0, 1], out, 3).tolist(), out.tolist()
    ([1], [[-1], [5]])
    """
    # begin TODO
    rows = [row for row, mask in enumerate(masks) if mask is not None]
    # subtle: out is reused, so set unconstrained rows again at each step; -1 has every bit.
    out[:] = -1
    for row in rows:
        out[row] = masks[row](states[row])  # type: ignore[misc]
    # A word that isn't 0 may hold nothing but bits after the last token, so look at tokens and not at words.
    alive = unpack(out, vocab_size).any(axis=1)
    if not alive.all():
        raise EmptyRow(int(np.argmin(alive)))
    return np.array(rows, np.int32)
    # end TODO


# The idea: with a kernel ----------------------------------------------------------------------------------------------


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
    """Mask one block of one row: write -inf to each of its columns that is not allowed.

    The block's columns are block * BLOCK to block * BLOCK + BLOCK - 1, as far as they exist. Masking costs the bytes
    that it moves, so load each word of the block once, as a block of BLOCK // 32 words, and load no logits.

    Args:
        logits_ptr: points at the row's first logit; the next one is ``column_stride`` elements further on.
        words_ptr: points at the row's first word; the others follow it.
        vocab_size: V. The row has a word for every 32 tokens, rounded up; bits after token V - 1 mean nothing.
        n_columns: C. There are no logits from column C on.
        block: the number of the block, from 0.
        BLOCK: a power of two, at least 32.
    """
    # begin TODO
    word_ids = block * (BLOCK // 32) + tl.arange(0, BLOCK // 32)
    words = tl.load(words_ptr + word_ids, mask=word_ids * 32 < vocab_size, other=0)
    # A row for each word and a column for each bit; then all rows one after the other.
    bits = (words[:, None] >> tl.arange(0, 32)[None, :]) & 1
    columns = block * BLOCK + tl.arange(0, BLOCK)
    # subtle: the last word may have ones after its last token, so compare with V as well.
    allowed = (tl.reshape(bits, (BLOCK,)) == 1) & (columns < vocab_size)
    tl.store(logits_ptr + columns * column_stride, float("-inf"), mask=~allowed & (columns < n_columns))
    # end TODO


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

    All programs run the same code, so each has to find out which one it is, and where its own row starts.

    Args:
        row_stride, column_stride: how many elements apart two logits are, one below the other and side by side.
        bitmask_stride: how many words apart two rows of the bitmask start.
    """
    # begin TODO
    row = tl.program_id(0)
    logits_row = logits_ptr + row * row_stride
    words_row = bitmask_ptr + row * bitmask_stride
    mask_block(logits_row, column_stride, words_row, vocab_size, n_columns, tl.program_id(1), BLOCK)
    # end TODO


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
    """Mask the rows in a list, and no others. The grid has a program for each row in the list and each block.

    In most batches only some requests are constrained, and this way the others cost nothing.

    Args:
        rows_ptr: ``int32[n]``: which rows to mask, each with its own row of the bitmask.
    """
    # begin TODO
    # subtle: the program's number is an index into the list, which names the row of the logits and of the words.
    row = tl.load(rows_ptr + tl.program_id(0))
    logits_row = logits_ptr + row * row_stride
    words_row = bitmask_ptr + row * bitmask_stride
    mask_block(logits_row, column_stride, words_row, vocab_size, n_columns, tl.program_id(1), BLOCK)
    # end TODO


def mask_block_on_device(logits: Any, words: Any, vocab_size: int, block_id: int, block: int) -> None:
    """Launch one program, which masks one block of one row. Given.

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
    """Launch a kernel that does what ``apply`` does. Given.

    Args:
        logits, bitmask, rows: as for ``apply``, ``rows`` as ``int32[n]``: NumPy arrays for the stand-in, torch tensors
            on one device for Triton. The words of a row of the bitmask are contiguous.
        block: the columns that one program masks: a power of two, at least 32.

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
    """Return logits and words with their strides, as the kernels take them."""
    word_stride, along = element_strides(words)
    row_stride, column_stride = element_strides(logits)
    if len(logits) * row_stride >= 1 << 31:
        raise ValueError(f"logits of {list(logits.shape)}: the kernels count elements in int32, up to 2**31 of them")
    if along != 1 and words.shape[1] > 1:
        raise ValueError(f"the words of a row must lie side by side; these lie {along} apart")
    return device_logits(logits), row_stride, column_stride, words, word_stride


# In an engine (optional): states on the device -----------------------------------------------------------------------


def step_table(steps: NDArray[np.int32], accepting: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return the steps of an automaton for every state and every symbol. Given.

    A device can't raise an exception, and it would use a -1 as an address. So every entry has to be a state.

    Args:
        steps: ``int32[S, 256]``: the state after each byte, -1 where it is dead.
        accepting: ``bool[S]``.

    Returns:
        ``int32[S + 2, 258]``, without any -1. State S is *finished* and S + 1 is *dead*. EOS leads from an accepting
        state to finished, and from finished to finished. Every other step that isn't in ``steps`` leads to dead.

    >>> steps = np.full((1, 256), -1, np.int32)
    >>> steps[0, 97] = 0
    >>> table = step_table(steps, np.array([True]))
    >>> table.shape, table[:, 97].tolist(), table[:, 256].tolist(), table[:, 257].tolist()
    ((3, 258), [0, 2, 2], [1, 1, 2], [2, 2, 2])
    """
    # Every step leads to dead unless one of the lines below says otherwise.
    finished, dead = len(steps), len(steps) + 1
    table = np.full((len(steps) + 2, SYMBOLS), dead, np.int32)
    table[:finished, :256] = np.where(steps == -1, dead, steps)
    table[:finished, EOS_SYMBOL] = np.where(accepting, finished, dead)
    table[finished, EOS_SYMBOL] = finished  # subtle: a finished request may sample EOS again
    return table


def mask_table(masks: NDArray[np.int32], eos_id: int) -> NDArray[np.int32]:
    """Return a row for every state of ``step_table``, with at least one token in each. Given.

    Args:
        masks: ``int32[S, ceil(V / 32)]``, left unchanged. The row of a dead end is empty.
        eos_id: the id of EOS.

    Returns:
        ``int32[S + 2, ceil(V / 32)]``. The rows of finished, of dead, and of every dead end allow EOS alone, because
        the softmax of a row that's all -inf is NaN. This doesn't hide the dead end: from there, EOS leads to dead
        and never to finished, so the host can tell from the state.

    >>> mask_table(np.array([[1, -1], [0, 0]], np.int32), eos_id=2).tolist()  # the words of row 0 add up to 0
    [[1, -1], [4, 0], [4, 0], [4, 0]]
    """
    eos_alone = np.zeros((1, masks.shape[1] * 32), bool)
    eos_alone[0, eos_id] = True
    table: NDArray[np.int32] = np.concatenate([masks, np.zeros((2, masks.shape[1]), np.int32)])
    # subtle: besides the two new rows, those of dead ends are empty too.
    table[(table == 0).all(axis=1)] = pack(eos_alone)
    return table


def flatten_tokens(token_bytes: Sequence[bytes | None], eos_id: int) -> tuple[NDArray[np.int16], NDArray[np.int32]]:
    """Return the tokens as one array of symbols, and the offset of each token, for the device to walk. Given.

    Args:
        token_bytes: the bytes of each token; None if it is never text (lab 07's ``text_bytes``).
        eos_id: the id of EOS, which is the one symbol ``EOS_SYMBOL``, whatever its bytes are.

    Returns:
        ``int16`` symbols, and ``int32[V + 1]`` offsets: token t has the symbols from ``offsets[t]`` up to, but not
        including, ``offsets[t + 1]``. A token that's never text has the single symbol ``NO_TEXT``, because a token
        without symbols would leave every state unchanged.

    >>> symbols, offsets = flatten_tokens([b"ab", None, b"c", None], eos_id=3)
    >>> symbols.tolist(), offsets.tolist()
    ([97, 98, 257, 99, 256], [0, 2, 3, 4, 5])
    """
    walks = [list(token) if token else [NO_TEXT] for token in token_bytes]
    walks[eos_id] = [EOS_SYMBOL]
    offsets = np.cumsum([0, *map(len, walks)])
    return np.array([symbol for walk in walks for symbol in walk], np.int16), offsets.astype(np.int32)


def tables_of(patterns: Sequence[str], vocabulary: Vocabulary) -> DeviceTables:
    """Return everything that stays on the device for some patterns and a vocabulary. Given.

    >>> tables = tables_of(["1+", "a"], Vocabulary.toy())
    >>> tables.masks.tolist(), tables.initial.tolist()
    ([[8], [24], [1], [16], [16], [16]], [0, 2])
    """
    automaton = automaton_of(patterns, TokenVocabularyIndex(vocabulary))
    symbols, offsets = flatten_tokens(text_bytes(vocabulary), vocabulary.eos_id)
    masks = mask_table(automaton.masks, vocabulary.eos_id)
    return DeviceTables(masks, step_table(automaton.steps, automaton.accepting), symbols, offsets, automaton.initial)


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

    The table is on the device already, so the host no longer sends a row for each request.

    Args:
        table_ptr: points at the row of state 0; each further row starts ``table_stride`` words after the one before.
        states_ptr: ``int32[batch]``. Leave a row alone if its state is below 0. (That's ``FREE``, but a kernel doesn't
            see the globals of this file.)
    """
    # begin TODO
    # subtle: the row of the logits is the program's, the row of the table is the state's.
    row = tl.program_id(0)
    state = tl.load(states_ptr + row)
    if state >= 0:
        logits_row = logits_ptr + row * row_stride
        words_row = table_ptr + state * table_stride
        mask_block(logits_row, column_stride, words_row, vocab_size, n_columns, tl.program_id(1), BLOCK)
    # end TODO


@jit
def advance_kernel(
    states_ptr: tl.tensor,
    tokens_ptr: tl.tensor,
    symbols_ptr: tl.tensor,
    offsets_ptr: tl.tensor,
    steps_ptr: tl.tensor,
    SYMBOLS: tl.constexpr,
) -> None:
    """Replace each state by the one after its sampled token: program i walks token ``tokens[i]`` from ``states[i]``.

    The token is on the device as well, so with this step the host needn't take part at all.

    Args:
        states_ptr: ``int32[batch]``, overwritten. A state below 0 stays as it is.
        tokens_ptr: ``int32[batch]``: the sampled tokens. Look up a token only if its state is 0 or above: nobody masked
            the padding of the other rows, so one of its columns may have been sampled, which has no offset.
        symbols_ptr, offsets_ptr: what ``flatten_tokens`` returns. Token t has the symbols from ``offsets[t]`` up to,
            but not including, ``offsets[t + 1]``.
        steps_ptr: what ``step_table`` returns, row by row, with SYMBOLS entries in each.
    """
    # begin TODO
    row = tl.program_id(0)
    state = tl.load(states_ptr + row)
    if state >= 0:
        token = tl.load(tokens_ptr + row)
        for place in range(tl.load(offsets_ptr + token), tl.load(offsets_ptr + token + 1)):
            symbol = tl.load(symbols_ptr + place)
            state = tl.load(steps_ptr + state * SYMBOLS + symbol)
        # subtle: store once, after the walk.
        tl.store(states_ptr + row, state)
    # end TODO


def apply_states_on_device(logits: Any, states: Any, masks: Any, vocab_size: int, block: int = BLOCK) -> None:
    """Launch ``apply_states_kernel``. Given.

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
    """Launch ``advance_kernel``, which overwrites ``states``. Given.

    >>> tables = tables_of(["1+", "a"], Vocabulary.toy())
    >>> states = np.array([tables.initial[0], FREE, tables.initial[1]], np.int32)
    >>> advance_on_device(states, np.array([3, 3, 1], np.int32), tables.symbols, tables.offsets, tables.steps)
    >>> states.tolist()
    [1, -1, 5]
    """
    if len(states):
        advance_kernel[(len(states),)](states, tokens, symbols, offsets, steps, SYMBOLS=SYMBOLS)


def moved(launch: str, *args: Any, **named: Any) -> dict[str, int]:
    """Launch a kernel in the stand-in, and return how many elements it loaded and stored, by buffer. Given.

    Args:
        launch: the name of one of the launches above; its arguments follow.

    >>> moved("mask_block_on_device", np.zeros(40, np.float32), np.array([5, 0], np.int32), 40, 0, 64)
    {'words_ptr loaded': 2, 'logits_ptr stored': 38}
    """
    launches: list[Callable[..., Any]] = [
        mask_block_on_device,
        apply_on_device,
        apply_states_on_device,
        advance_on_device,
    ]
    with recorded() as found:
        {each.__name__: each for each in launches}[launch](*args, **named)
    buffers = [item for each in found for item in each.of_buffers().items()]
    loaded = {f"{name} loaded": traffic.loads for name, traffic in buffers if traffic.loads}
    return loaded | {f"{name} stored": traffic.stores for name, traffic in buffers if traffic.stores}


# Given: what masking costs ------------------------------------------------------------------------------------------


def least_bytes(bitmask: NDArray[np.int32], vocab_size: int, n_columns: int, itemsize: int) -> int:
    """Return the fewest bytes that must move to apply a bitmask: read every word, write every masked logit. Given.

    Args:
        n_columns: the columns of the logits, padding included, which is masked too.
        itemsize: the bytes of a logit.

    >>> least_bytes(np.array([[5], [2]], np.int32), 3, 4, itemsize=2)
    18
    """
    masked = len(bitmask) * n_columns - int(unpack(bitmask, vocab_size).sum())  # the padding is among them
    return len(bitmask) * words_for(vocab_size) * 4 + masked * itemsize


def bytes_per_step(batch: int, n_constrained: int, vocab_size: int) -> dict[str, int]:
    """Return the bytes that the host sends in each step to mask a batch, in five designs. Given.

    >>> bytes_per_step(4, 2, 33)
    {'booleans': 132, 'words': 32, 'constrained rows': 24, 'state numbers': 16, 'states on the device': 0}
    """
    row = 4 * words_for(vocab_size)
    return {
        "booleans": batch * vocab_size,  # a byte for each token of each row
        "words": batch * row,
        "constrained rows": n_constrained * (row + 4),  # each with its number, an int32
        "state numbers": batch * 4,  # an int32 for each row: the table is on the device, and FREE is a number too
        "states on the device": 0,
    }
