"""EOS is written into the row itself, which other states share."""

TODO = 8
HINT = 1


def mask_row(eos_id, row, accepting):
    mask = row
    words, bit = mask.view(np.uint32), np.uint32(1 << eos_id % 32)
    words[eos_id // 32] &= ~bit
    if accepting:
        words[eos_id // 32] |= bit
    return mask
