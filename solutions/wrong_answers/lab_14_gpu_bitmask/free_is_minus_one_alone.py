"""Only the state -1 is left alone, and not every state below 0."""

TODO = 16
HINT = 2


def apply_states_kernel(
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
    row = tl.program_id(0)
    state = tl.load(states_ptr + row)
    if state != -1:
        logits_row = logits_ptr + row * row_stride
        words_row = table_ptr + state * table_stride
        mask_block(logits_row, column_stride, words_row, vocab_size, n_columns, tl.program_id(1), BLOCK)
