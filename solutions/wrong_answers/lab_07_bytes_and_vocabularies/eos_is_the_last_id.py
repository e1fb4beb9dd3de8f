"""EOS is taken for the last bit of the last word, wherever the vocabulary has it."""

TODO = 8
HINT = 2


def mask_row(eos_id, row, accepting):
    mask = row.copy()
    words, bit = mask.view(np.uint32), np.uint32(1 << 31)
    words[-1] = words[-1] | bit if accepting else words[-1] & ~bit
    return mask
