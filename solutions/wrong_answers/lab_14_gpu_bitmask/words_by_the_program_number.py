"""The logits are those of the row in the list, and the words those of the program's own number."""

TODO = 11
HINT = 2


def apply_rows_kernel(
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
    row = tl.load(rows_ptr + tl.program_id(0))
    logits_row = logits_ptr + row * row_stride
    words_row = bitmask_ptr + tl.program_id(0) * bitmask_stride
    mask_block(logits_row, column_stride, words_row, vocab_size, n_columns, tl.program_id(1), BLOCK)
