"""A state of -1 is looked up like any other, before the table's first row."""

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
    words_row = table_ptr + tl.load(states_ptr + row) * table_stride
    logits_row = logits_ptr + row * row_stride
    mask_block(logits_row, column_stride, words_row, vocab_size, n_columns, tl.program_id(1), BLOCK)
