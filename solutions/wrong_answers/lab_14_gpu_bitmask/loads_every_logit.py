"""Every logit is loaded, and stored again with -inf where its token is not allowed, as NumPy's where does."""

TODO = 9
HINT = 1


def mask_block(logits_ptr, column_stride, words_ptr, vocab_size, n_columns, block, BLOCK: tl.constexpr):
    word_ids = block * (BLOCK // 32) + tl.arange(0, BLOCK // 32)
    words = tl.load(words_ptr + word_ids, mask=word_ids * 32 < vocab_size, other=0)
    bits = (words[:, None] >> tl.arange(0, 32)[None, :]) & 1
    columns = block * BLOCK + tl.arange(0, BLOCK)
    allowed = (tl.reshape(bits, (BLOCK,)) == 1) & (columns < vocab_size)
    places = logits_ptr + columns * column_stride
    logits = tl.load(places, mask=columns < n_columns, other=0)
    tl.store(places, tl.where(allowed, logits, float("-inf")), mask=columns < n_columns)
