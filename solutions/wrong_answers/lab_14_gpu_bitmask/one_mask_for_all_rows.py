"""Every row is masked by the words of the first one."""

TODO = 10
HINT = 1


def apply_bitmask_kernel(
    logits_ptr, row_stride, column_stride, bitmask_ptr, bitmask_stride, vocab_size, n_columns, BLOCK: tl.constexpr
):
    row = tl.program_id(0)
    logits_row = logits_ptr + row * row_stride
    words_row = bitmask_ptr
    mask_block(logits_row, column_stride, words_row, vocab_size, n_columns, tl.program_id(1), BLOCK)
