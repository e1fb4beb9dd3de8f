"""A row of words is assumed to start where the one before it ends."""

TODO = 10
HINT = 2


def apply_bitmask_kernel(
    logits_ptr, row_stride, column_stride, bitmask_ptr, bitmask_stride, vocab_size, n_columns, BLOCK: tl.constexpr
):
    row = tl.program_id(0)
    logits_row = logits_ptr + row * row_stride
    words_row = bitmask_ptr + row * tl.cdiv(vocab_size, 32)
    mask_block(logits_row, column_stride, words_row, vocab_size, n_columns, tl.program_id(1), BLOCK)
