"""EOS is shifted as a signed word, which fails for the last token of a word."""

TODO = 8
HINT = 2


def mask_row(eos_id, row, accepting):
    mask = row.copy()
    bit = np.int32(1 << eos_id % 32)
    mask[eos_id // 32] &= ~bit
    if accepting:
        mask[eos_id // 32] |= bit
    return mask
