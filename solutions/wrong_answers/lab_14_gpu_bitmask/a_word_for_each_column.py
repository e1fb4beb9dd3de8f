"""Each column loads the word of its own bit, so each word is loaded 32 times."""

TODO = 9
HINT = 1


def mask_block(logits_ptr, column_stride, words_ptr, vocab_size, n_columns, block, BLOCK: tl.constexpr):
    columns = block * BLOCK + tl.arange(0, BLOCK)
    words = tl.load(words_ptr + columns // 32, mask=columns < vocab_size, other=0)
    allowed = (((words >> columns % 32) & 1) == 1) & (columns < vocab_size)
    tl.store(logits_ptr + columns * column_stride, float("-inf"), mask=~allowed & (columns < n_columns))
