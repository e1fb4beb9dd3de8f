"""The kernel asks whether a shifted word is 1, but higher bits of the word are left in it."""

TODO = 9
HINT = 1


def mask_block(logits_ptr, column_stride, words_ptr, vocab_size, n_columns, block, BLOCK: tl.constexpr):
    word_ids = block * (BLOCK // 32) + tl.arange(0, BLOCK // 32)
    words = tl.load(words_ptr + word_ids, mask=word_ids * 32 < vocab_size, other=0)
    bits = words[:, None] >> tl.arange(0, 32)[None, :]
    columns = block * BLOCK + tl.arange(0, BLOCK)
    allowed = (tl.reshape(bits, (BLOCK,)) == 1) & (columns < vocab_size)
    tl.store(logits_ptr + columns * column_stride, float("-inf"), mask=~allowed & (columns < n_columns))
