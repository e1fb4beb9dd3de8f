"""The logits of a row are assumed to be contiguous."""

TODO = 9
HINT = 2


def mask_block(logits_ptr, column_stride, words_ptr, vocab_size, n_columns, block, BLOCK: tl.constexpr):
    word_ids = block * (BLOCK // 32) + tl.arange(0, BLOCK // 32)
    words = tl.load(words_ptr + word_ids, mask=word_ids * 32 < vocab_size, other=0)
    bits = (words[:, None] >> tl.arange(0, 32)[None, :]) & 1
    columns = block * BLOCK + tl.arange(0, BLOCK)
    allowed = (tl.reshape(bits, (BLOCK,)) == 1) & (columns < vocab_size)
    tl.store(logits_ptr + columns, float("-inf"), mask=~allowed & (columns < n_columns))
