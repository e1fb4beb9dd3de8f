"""Wrong answers of lab 15: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("pack", hint=1)
def bits_from_the_left(allowed):
    """The first token of each word is put into its highest bit."""
    batch, vocab_size = allowed.shape
    bits = np.zeros((batch, words_for(vocab_size) * 32), np.uint32)
    bits[:, :vocab_size] = allowed
    shifted = bits.reshape(batch, words_for(vocab_size), 32) << np.arange(31, -1, -1, dtype=np.uint32)
    return np.bitwise_or.reduce(shifted, axis=2).view(np.int32)


@mistake("pack", hint=2)
def rows_share_words(allowed):
    """The batch is packed as one long row, so a row may start in the middle of a word."""
    batch, vocab_size = allowed.shape
    words = np.zeros(batch * words_for(vocab_size), np.int32)
    packed = np.packbits(allowed, bitorder="little")
    words.view(np.uint8)[: len(packed)] = packed
    return words.reshape(batch, words_for(vocab_size))


@mistake("pack", hint=2)
def the_sign_is_clipped(allowed):
    """The words are summed in int64 and clipped to int32, where token 31 is too large a number."""
    batch, vocab_size = allowed.shape
    bits = np.zeros((batch, words_for(vocab_size) * 32), np.int64)
    bits[:, :vocab_size] = allowed
    words = (bits.reshape(batch, words_for(vocab_size), 32) << np.arange(32)).sum(axis=2)
    return np.minimum(words, 2**31 - 1).astype(np.int32)


@mistake("unpack", hint=2)
def a_bit_must_be_above_zero(bitmask, vocab_size):
    """Each bit is isolated in its place and compared with 0, and the sign bit is below it."""
    bits = bitmask[:, :, None] & (np.uint32(1) << np.arange(32, dtype=np.uint32)).view(np.int32)
    return bits.reshape(len(bitmask), bitmask.shape[1] * 32)[:, :vocab_size] > 0


@mistake("unpack", hint=2)
def higher_bits_are_not_cleared(bitmask, vocab_size):
    """A word is shifted and compared with 0, without keeping the lowest bit alone."""
    bits = bitmask[:, :, None] >> np.arange(32, dtype=np.int32)
    return bits.reshape(len(bitmask), bitmask.shape[1] * 32)[:, :vocab_size] != 0


@mistake("unpack", hint=1)
def the_lowest_bit_comes_last(bitmask, vocab_size):
    """The words are shifted from their highest bit down."""
    bits = (bitmask[:, :, None] >> np.arange(31, -1, -1, dtype=np.int32)) & 1
    return bits.reshape(len(bitmask), bitmask.shape[1] * 32)[:, :vocab_size] == 1


@mistake("fill", hint=2)
def a_negative_word_is_empty(masks, states, out, vocab_size):
    """A row counts as empty if no word of it is above 0, and token 31 makes a word negative."""
    rows = [row for row, mask in enumerate(masks) if mask is not None]
    out[:] = -1
    for row in rows:
        out[row] = masks[row](states[row])
    alive = {row for row in rows if ((out[row] & pack(np.ones((1, vocab_size), bool))[0]) > 0).any()}
    for row in rows:
        if row not in alive:
            raise EmptyRow(row)
    return np.array(rows, np.int32)


@mistake("fill", hint=1)
def every_state_is_asked_once(masks, states, out, vocab_size):
    """Rows are kept by state, whichever guide they come from."""
    rows = [row for row, mask in enumerate(masks) if mask is not None]
    out[:] = -1
    kept = {}
    for row in rows:
        if states[row] not in kept:
            kept[states[row]] = masks[row](states[row])
        out[row] = kept[states[row]]
    alive = unpack(out, vocab_size).any(axis=1)
    if not alive.all():
        raise EmptyRow(int(np.argmin(alive)))
    return np.array(rows, np.int32)


@mistake("fill", hint=1)
def old_rows_stay(masks, states, out, vocab_size):
    """The row of an unconstrained request is left over from the step before."""
    rows = [row for row, mask in enumerate(masks) if mask is not None]
    for row in rows:
        out[row] = masks[row](states[row])
    alive = unpack(out, vocab_size).any(axis=1)
    if not alive.all():
        raise EmptyRow(int(np.argmin(alive)))
    return np.array(rows, np.int32)


@mistake("fill", hint=2)
def tail_bits_make_a_row_alive(masks, states, out, vocab_size):
    """A row counts as alive if any of its words is not 0, garbage after the last token included."""
    rows = [row for row, mask in enumerate(masks) if mask is not None]
    out[:] = -1
    for row in rows:
        out[row] = masks[row](states[row])
    alive = (out != 0).any(axis=1)
    if not alive.all():
        raise EmptyRow(int(np.argmin(alive)))
    return np.array(rows, np.int32)


@mistake("apply", hint=2)
def adds_a_mask(logits, bitmask, vocab_size, rows=None):
    """Minus infinity is added where a token is forbidden and 0 elsewhere, which changes -0.0 and leaves NaN."""
    infinity = minus_infinity(logits.dtype)
    for row in range(len(logits)) if rows is None else rows:
        added = np.full(logits.shape[1], infinity)
        added[:vocab_size][unpack(bitmask[row : row + 1], vocab_size)[0]] = 0
        if logits.dtype == np.uint16:
            logits[row] = np.where(added, infinity, logits[row])
        else:
            logits[row] += added


@mistake("apply", hint=1)
def the_padding_stays(logits, bitmask, vocab_size, rows=None):
    """Only the columns of tokens are masked, so padding can be sampled."""
    infinity = minus_infinity(logits.dtype)
    for row in range(len(logits)) if rows is None else rows:
        logits[row, :vocab_size][~unpack(bitmask[row : row + 1], vocab_size)[0]] = infinity


@mistake("apply", hint=2)
def writes_into_a_copy(logits, bitmask, vocab_size, rows=None):
    """The logits are reshaped to one long row first, which is a copy if they have gaps."""
    infinity, n_columns = minus_infinity(logits.dtype), logits.shape[1]
    flat = logits.reshape(-1)
    for row in range(len(logits)) if rows is None else rows:
        piece = flat[row * n_columns : (row + 1) * n_columns]
        piece[:vocab_size][~unpack(bitmask[row : row + 1], vocab_size)[0]] = infinity
        piece[vocab_size:] = infinity


@mistake("apply", hint=2)
def the_lowest_finite_number(logits, bitmask, vocab_size, rows=None):
    """The lowest finite number is used for minus infinity, so softmax may give it a share."""
    minus_infinity(logits.dtype)
    lowest = np.uint16(0xFF7F) if logits.dtype == np.uint16 else np.finfo(logits.dtype).min
    for row in range(len(logits)) if rows is None else rows:
        logits[row, :vocab_size][~unpack(bitmask[row : row + 1], vocab_size)[0]] = lowest
        logits[row, vocab_size:] = lowest


@mistake("mask_block", hint=1)
def a_word_for_each_column(logits_ptr, column_stride, words_ptr, vocab_size, n_columns, block, BLOCK: tl.constexpr):
    """Each column loads the word of its own bit, so each word is loaded 32 times."""
    columns = block * BLOCK + tl.arange(0, BLOCK)
    words = tl.load(words_ptr + columns // 32, mask=columns < vocab_size, other=0)
    allowed = (((words >> columns % 32) & 1) == 1) & (columns < vocab_size)
    tl.store(logits_ptr + columns * column_stride, float("-inf"), mask=~allowed & (columns < n_columns))


@mistake("mask_block", hint=1)
def loads_every_logit(logits_ptr, column_stride, words_ptr, vocab_size, n_columns, block, BLOCK: tl.constexpr):
    """Every logit is loaded, and stored again with -inf where its token is not allowed, as NumPy's where does."""
    word_ids = block * (BLOCK // 32) + tl.arange(0, BLOCK // 32)
    words = tl.load(words_ptr + word_ids, mask=word_ids * 32 < vocab_size, other=0)
    bits = (words[:, None] >> tl.arange(0, 32)[None, :]) & 1
    columns = block * BLOCK + tl.arange(0, BLOCK)
    allowed = (tl.reshape(bits, (BLOCK,)) == 1) & (columns < vocab_size)
    places = logits_ptr + columns * column_stride
    logits = tl.load(places, mask=columns < n_columns, other=0)
    tl.store(places, tl.where(allowed, logits, float("-inf")), mask=columns < n_columns)


@mistake("mask_block", hint=1)
def shifted_but_not_masked(logits_ptr, column_stride, words_ptr, vocab_size, n_columns, block, BLOCK: tl.constexpr):
    """The kernel asks whether a shifted word is 1, but higher bits of the word are left in it."""
    word_ids = block * (BLOCK // 32) + tl.arange(0, BLOCK // 32)
    words = tl.load(words_ptr + word_ids, mask=word_ids * 32 < vocab_size, other=0)
    bits = words[:, None] >> tl.arange(0, 32)[None, :]
    columns = block * BLOCK + tl.arange(0, BLOCK)
    allowed = (tl.reshape(bits, (BLOCK,)) == 1) & (columns < vocab_size)
    tl.store(logits_ptr + columns * column_stride, float("-inf"), mask=~allowed & (columns < n_columns))


@mistake("mask_block", hint=2)
def the_load_has_no_mask(logits_ptr, column_stride, words_ptr, vocab_size, n_columns, block, BLOCK: tl.constexpr):
    """The words are loaded without a mask, so the last block reads beyond its row."""
    word_ids = block * (BLOCK // 32) + tl.arange(0, BLOCK // 32)
    words = tl.load(words_ptr + word_ids)
    bits = (words[:, None] >> tl.arange(0, 32)[None, :]) & 1
    columns = block * BLOCK + tl.arange(0, BLOCK)
    allowed = (tl.reshape(bits, (BLOCK,)) == 1) & (columns < vocab_size)
    tl.store(logits_ptr + columns * column_stride, float("-inf"), mask=~allowed & (columns < n_columns))


@mistake("mask_block", hint=2)
def the_store_ignores_the_last_column(
    logits_ptr, column_stride, words_ptr, vocab_size, n_columns, block, BLOCK: tl.constexpr
):
    """Everything that is not allowed is stored, also beyond the last column."""
    word_ids = block * (BLOCK // 32) + tl.arange(0, BLOCK // 32)
    words = tl.load(words_ptr + word_ids, mask=word_ids * 32 < vocab_size, other=0)
    bits = (words[:, None] >> tl.arange(0, 32)[None, :]) & 1
    columns = block * BLOCK + tl.arange(0, BLOCK)
    allowed = (tl.reshape(bits, (BLOCK,)) == 1) & (columns < vocab_size)
    tl.store(logits_ptr + columns * column_stride, float("-inf"), mask=~allowed)


@mistake("mask_block", hint=2)
def the_tail_decides_about_padding(
    logits_ptr, column_stride, words_ptr, vocab_size, n_columns, block, BLOCK: tl.constexpr
):
    """No column is compared with V, so where the tail of the last word has ones, padding stays."""
    word_ids = block * (BLOCK // 32) + tl.arange(0, BLOCK // 32)
    words = tl.load(words_ptr + word_ids, mask=word_ids * 32 < vocab_size, other=0)
    bits = (words[:, None] >> tl.arange(0, 32)[None, :]) & 1
    columns = block * BLOCK + tl.arange(0, BLOCK)
    allowed = tl.reshape(bits, (BLOCK,)) == 1
    tl.store(logits_ptr + columns * column_stride, float("-inf"), mask=~allowed & (columns < n_columns))


@mistake("apply_bitmask_kernel", hint=1)
def one_mask_for_all_rows(
    logits_ptr, row_stride, column_stride, bitmask_ptr, bitmask_stride, vocab_size, n_columns, BLOCK: tl.constexpr
):
    """Every row is masked by the words of the first one."""
    row = tl.program_id(0)
    logits_row = logits_ptr + row * row_stride
    words_row = bitmask_ptr
    mask_block(logits_row, column_stride, words_row, vocab_size, n_columns, tl.program_id(1), BLOCK)


@mistake("apply_bitmask_kernel", hint=2)
def rows_without_a_stride(
    logits_ptr, row_stride, column_stride, bitmask_ptr, bitmask_stride, vocab_size, n_columns, BLOCK: tl.constexpr
):
    """A row of logits is assumed to start where the one before it ends."""
    row = tl.program_id(0)
    logits_row = logits_ptr + row * n_columns
    words_row = bitmask_ptr + row * bitmask_stride
    mask_block(logits_row, column_stride, words_row, vocab_size, n_columns, tl.program_id(1), BLOCK)


@mistake("apply_rows_kernel", hint=2)
def words_by_the_program_number(
    logits_ptr,
    row_stride,
    column_stride,
    bitmask_ptr,
    bitmask_stride,
    rows_ptr,
    vocab_size,
    n_columns,
    BLOCK: tl.constexpr,
):
    """The logits are those of the row in the list, and the words those of the program's own number."""
    row = tl.load(rows_ptr + tl.program_id(0))
    logits_row = logits_ptr + row * row_stride
    words_row = bitmask_ptr + tl.program_id(0) * bitmask_stride
    mask_block(logits_row, column_stride, words_row, vocab_size, n_columns, tl.program_id(1), BLOCK)


@mistake("step_table", hint=1)
def dead_stays_minus_one(steps, accepting):
    """The dead steps of the automaton stay -1, so the next walk reads before the table."""
    finished, dead = len(steps), len(steps) + 1
    table = np.full((len(steps) + 2, SYMBOLS), dead, np.int32)
    table[:finished, :256] = steps
    table[:finished, EOS_SYMBOL] = np.where(accepting, finished, dead)
    table[finished, EOS_SYMBOL] = finished
    return table


@mistake("mask_table", hint=1)
def empty_rows_stay_empty(masks, eos_id):
    """The rows of finished, of dead, and of dead ends allow nothing."""
    eos_alone = np.zeros((1, masks.shape[1] * 32), bool)
    eos_alone[0, eos_id] = True
    table = np.concatenate([masks, np.zeros((2, masks.shape[1]), np.int32)])
    return table


@mistake("mask_table", hint=1)
def words_that_sum_to_zero(masks, eos_id):
    """A row whose words sum to 0 is taken for empty, though 1 and -1 have 33 bits."""
    eos_alone = np.zeros((1, masks.shape[1] * 32), bool)
    eos_alone[0, eos_id] = True
    table = np.concatenate([masks, np.zeros((2, masks.shape[1]), np.int32)])
    table[table.sum(axis=1) == 0] = pack(eos_alone)
    return table


@mistake("apply_states_kernel", hint=2)
def free_is_minus_one_alone(
    logits_ptr,
    row_stride,
    column_stride,
    table_ptr,
    table_stride,
    states_ptr,
    vocab_size,
    n_columns,
    BLOCK: tl.constexpr,
):
    """Only the state -1 is left alone, and not every state below 0."""
    row = tl.program_id(0)
    state = tl.load(states_ptr + row)
    if state != -1:
        logits_row = logits_ptr + row * row_stride
        words_row = table_ptr + state * table_stride
        mask_block(logits_row, column_stride, words_row, vocab_size, n_columns, tl.program_id(1), BLOCK)


@mistake("apply_states_kernel", hint=1)
def the_table_row_of_the_request(
    logits_ptr,
    row_stride,
    column_stride,
    table_ptr,
    table_stride,
    states_ptr,
    vocab_size,
    n_columns,
    BLOCK: tl.constexpr,
):
    """The words are taken from the row of the table that has the number of the request."""
    row = tl.program_id(0)
    state = tl.load(states_ptr + row)
    if state >= 0:
        logits_row = logits_ptr + row * row_stride
        words_row = table_ptr + row * table_stride
        mask_block(logits_row, column_stride, words_row, vocab_size, n_columns, tl.program_id(1), BLOCK)


@mistake("advance_kernel", hint=1)
def each_byte_from_the_same_state(states_ptr, tokens_ptr, symbols_ptr, offsets_ptr, steps_ptr, SYMBOLS: tl.constexpr):
    """Every symbol is looked up from the state in which the token started."""
    row = tl.program_id(0)
    state = tl.load(states_ptr + row)
    first = state
    if state >= 0:
        token = tl.load(tokens_ptr + row)
        for place in range(tl.load(offsets_ptr + token), tl.load(offsets_ptr + token + 1)):
            symbol = tl.load(symbols_ptr + place)
            state = tl.load(steps_ptr + first * SYMBOLS + symbol)
        tl.store(states_ptr + row, state)


@mistake("advance_kernel", hint=2)
def the_walk_stops_before_the_last(states_ptr, tokens_ptr, symbols_ptr, offsets_ptr, steps_ptr, SYMBOLS: tl.constexpr):
    """The walk stops before the last symbol, so tokens of one symbol leave the state unchanged."""
    row = tl.program_id(0)
    state = tl.load(states_ptr + row)
    if state >= 0:
        token = tl.load(tokens_ptr + row)
        for place in range(tl.load(offsets_ptr + token), tl.load(offsets_ptr + token + 1) - 1):
            symbol = tl.load(symbols_ptr + place)
            state = tl.load(steps_ptr + state * SYMBOLS + symbol)
        tl.store(states_ptr + row, state)


@mistake("advance_kernel", hint=1)
def a_free_row_is_walked_too(states_ptr, tokens_ptr, symbols_ptr, offsets_ptr, steps_ptr, SYMBOLS: tl.constexpr):
    """A state below 0 is looked up like any other, with a token that may not exist."""
    row = tl.program_id(0)
    state = tl.load(states_ptr + row)
    token = tl.load(tokens_ptr + row)
    for place in range(tl.load(offsets_ptr + token), tl.load(offsets_ptr + token + 1)):
        symbol = tl.load(symbols_ptr + place)
        state = tl.load(steps_ptr + state * SYMBOLS + symbol)
    tl.store(states_ptr + row, state)
