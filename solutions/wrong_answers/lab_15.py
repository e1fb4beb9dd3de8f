"""Wrong answers of lab 15: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("apply", hint=2)
def adds_a_mask(logits, bitmask, vocab_size, rows=None):
    """You add 0 or minus infinity to the logits. That turns -0.0 into 0.0, and a forbidden NaN stays NaN."""
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
    """You mask only the columns that have tokens, so the padding can be sampled."""
    infinity = minus_infinity(logits.dtype)
    for row in range(len(logits)) if rows is None else rows:
        logits[row, :vocab_size][~unpack(bitmask[row : row + 1], vocab_size)[0]] = infinity


@mistake("apply", hint=2)
def writes_into_a_copy(logits, bitmask, vocab_size, rows=None):
    """You reshape the logits to one long row. If they have gaps, that makes a copy, and you mask only the copy."""
    infinity, n_columns = minus_infinity(logits.dtype), logits.shape[1]
    flat = logits.reshape(-1)
    for row in range(len(logits)) if rows is None else rows:
        piece = flat[row * n_columns : (row + 1) * n_columns]
        piece[:vocab_size][~unpack(bitmask[row : row + 1], vocab_size)[0]] = infinity
        piece[vocab_size:] = infinity


@mistake("apply", hint=2)
def masks_a_copy(logits, bitmask, vocab_size, rows=None):
    """You write into a copy, so the caller's logits stay as they were."""
    logits.copy()[:] = minus_infinity(logits.dtype)


@mistake("apply", hint=2)
def the_lowest_finite_number(logits, bitmask, vocab_size, rows=None):
    """You use the lowest finite number for minus infinity, so softmax may still give it a share."""
    minus_infinity(logits.dtype)
    lowest = np.uint16(0xFF7F) if logits.dtype == np.uint16 else np.finfo(logits.dtype).min
    for row in range(len(logits)) if rows is None else rows:
        logits[row, :vocab_size][~unpack(bitmask[row : row + 1], vocab_size)[0]] = lowest
        logits[row, vocab_size:] = lowest


@mistake("fill", hint=2)
def a_negative_word_is_empty(masks, states, out, vocab_size):
    """You call a row empty if no word is above 0, but token 31 makes a word negative."""
    rows = [row for row, mask in enumerate(masks) if mask is not None]
    out[:] = -1
    for row in rows:
        out[row] = masks[row](states[row])
    alive = (out > 0).any(axis=1)
    if not alive.all():
        raise EmptyRow(int(np.argmin(alive)))
    return np.array(rows, np.int32)


@mistake("fill", hint=1)
def every_state_is_asked_once(masks, states, out, vocab_size):
    """You remember rows by state alone, but the same number means a different state in another guide."""
    rows = [row for row, mask in enumerate(masks) if mask is not None]
    out[:] = -1
    kept = {}
    for row in rows:
        out[row] = kept.setdefault(states[row], masks[row](states[row]))
    alive = unpack(out, vocab_size).any(axis=1)
    if not alive.all():
        raise EmptyRow(int(np.argmin(alive)))
    return np.array(rows, np.int32)


@mistake("fill", hint=1)
def old_rows_stay(masks, states, out, vocab_size):
    """You leave an unconstrained row as the step before left it. Set all its bits."""
    rows = [row for row, mask in enumerate(masks) if mask is not None]
    for row in rows:
        out[row] = masks[row](states[row])
    alive = unpack(out, vocab_size).any(axis=1)
    if not alive.all():
        raise EmptyRow(int(np.argmin(alive)))
    return np.array(rows, np.int32)


@mistake("fill", hint=2)
def tail_bits_make_a_row_alive(masks, states, out, vocab_size):
    """You call a row alive if any word isn't 0, but there may be garbage after the last token."""
    rows = [row for row, mask in enumerate(masks) if mask is not None]
    out[:] = -1
    for row in rows:
        out[row] = masks[row](states[row])
    alive = (out != 0).any(axis=1)
    if not alive.all():
        raise EmptyRow(int(np.argmin(alive)))
    return np.array(rows, np.int32)


@mistake("mask_block", hint=1)
def a_word_for_each_column(logits_ptr, column_stride, words_ptr, vocab_size, n_columns, block, BLOCK: tl.constexpr):
    """You load a word for each column, so you load every word 32 times."""
    columns = block * BLOCK + tl.arange(0, BLOCK)
    words = tl.load(words_ptr + columns // 32, mask=columns < vocab_size, other=0)
    allowed = (((words >> columns % 32) & 1) == 1) & (columns < vocab_size)
    tl.store(logits_ptr + columns * column_stride, float("-inf"), mask=~allowed & (columns < n_columns))


@mistake("mask_block", hint=1)
def loads_every_logit(logits_ptr, column_stride, words_ptr, vocab_size, n_columns, block, BLOCK: tl.constexpr):
    """You load every logit and store it again, as NumPy's where does. Store only the minus infinities."""
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
    """You ask whether a shifted word is 1, but its higher bits are still there."""
    word_ids = block * (BLOCK // 32) + tl.arange(0, BLOCK // 32)
    words = tl.load(words_ptr + word_ids, mask=word_ids * 32 < vocab_size, other=0)
    bits = words[:, None] >> tl.arange(0, 32)[None, :]
    columns = block * BLOCK + tl.arange(0, BLOCK)
    allowed = (tl.reshape(bits, (BLOCK,)) == 1) & (columns < vocab_size)
    tl.store(logits_ptr + columns * column_stride, float("-inf"), mask=~allowed & (columns < n_columns))


@mistake("mask_block", hint=2)
def the_load_has_no_mask(logits_ptr, column_stride, words_ptr, vocab_size, n_columns, block, BLOCK: tl.constexpr):
    """You load the words without a mask, so your last block reads beyond its row."""
    word_ids = block * (BLOCK // 32) + tl.arange(0, BLOCK // 32)
    words = tl.load(words_ptr + word_ids)
    bits = (words[:, None] >> tl.arange(0, 32)[None, :]) & 1
    columns = block * BLOCK + tl.arange(0, BLOCK)
    allowed = (tl.reshape(bits, (BLOCK,)) == 1) & (columns < vocab_size)
    tl.store(logits_ptr + columns * column_stride, float("-inf"), mask=~allowed & (columns < n_columns))


@mistake("mask_block", hint=2)
def stores_beyond_the_columns(logits_ptr, column_stride, words_ptr, vocab_size, n_columns, block, BLOCK: tl.constexpr):
    """You store -inf wherever no token is allowed, even beyond the last column."""
    word_ids = block * (BLOCK // 32) + tl.arange(0, BLOCK // 32)
    words = tl.load(words_ptr + word_ids, mask=word_ids * 32 < vocab_size, other=0)
    bits = (words[:, None] >> tl.arange(0, 32)[None, :]) & 1
    columns = block * BLOCK + tl.arange(0, BLOCK)
    allowed = (tl.reshape(bits, (BLOCK,)) == 1) & (columns < vocab_size)
    tl.store(logits_ptr + columns * column_stride, float("-inf"), mask=~allowed)


@mistake("mask_block", hint=2)
def the_tail_rules_the_padding(logits_ptr, column_stride, words_ptr, vocab_size, n_columns, block, BLOCK: tl.constexpr):
    """You compare no column with V, so the padding stays wherever the last word's tail has ones."""
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
    """You mask every row by the words of the first one."""
    row = tl.program_id(0)
    logits_row = logits_ptr + row * row_stride
    words_row = bitmask_ptr
    mask_block(logits_row, column_stride, words_row, vocab_size, n_columns, tl.program_id(1), BLOCK)


@mistake("apply_bitmask_kernel", hint=2)
def rows_without_a_stride(
    logits_ptr, row_stride, column_stride, bitmask_ptr, bitmask_stride, vocab_size, n_columns, BLOCK: tl.constexpr
):
    """You assume that a row of logits starts where the one before it ends. Use the stride."""
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
    """You use the listed row for the logits, but the program's own number for the words. Use the first for both."""
    row = tl.load(rows_ptr + tl.program_id(0))
    logits_row = logits_ptr + row * row_stride
    words_row = bitmask_ptr + tl.program_id(0) * bitmask_stride
    mask_block(logits_row, column_stride, words_row, vocab_size, n_columns, tl.program_id(1), BLOCK)


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
    """You leave only state -1 alone, but every state below 0 is free."""
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
    """You pick the table's row by the number of the request. Pick it by the request's state."""
    row = tl.program_id(0)
    state = tl.load(states_ptr + row)
    if state >= 0:
        logits_row = logits_ptr + row * row_stride
        words_row = table_ptr + row * table_stride
        mask_block(logits_row, column_stride, words_row, vocab_size, n_columns, tl.program_id(1), BLOCK)


@mistake("advance_kernel", hint=1)
def each_byte_from_the_same_state(states_ptr, tokens_ptr, symbols_ptr, offsets_ptr, steps_ptr, SYMBOLS: tl.constexpr):
    """You look up every symbol from the state where the token started. Start each step where the last one ended."""
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
    """You stop before the last symbol, so a token of one symbol doesn't move you at all."""
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
    """You look up a state below 0 like any other, with a token that may not exist."""
    row = tl.program_id(0)
    state = tl.load(states_ptr + row)
    token = tl.load(tokens_ptr + row)
    for place in range(tl.load(offsets_ptr + token), tl.load(offsets_ptr + token + 1)):
        symbol = tl.load(symbols_ptr + place)
        state = tl.load(steps_ptr + state * SYMBOLS + symbol)
    tl.store(states_ptr + row, state)
