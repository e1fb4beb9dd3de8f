"""The words are uint32, because bits have no sign."""

TODO = 6
HINT = 2


def pack_mask(allowed):
    words = np.zeros(-(-len(allowed) // 32), "<u4")
    packed = np.packbits(allowed, bitorder="little")
    words.view(np.uint8)[: len(packed)] = packed
    return words.astype(np.uint32, copy=False)
