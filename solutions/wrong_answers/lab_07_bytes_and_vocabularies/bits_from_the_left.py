"""The first token of each eight goes into the highest bit of its byte, which is the default of packbits."""

TODO = 6
HINT = 1


def pack_mask(allowed):
    words = np.zeros(-(-len(allowed) // 32), "<i4")
    packed = np.packbits(allowed)
    words.view(np.uint8)[: len(packed)] = packed
    return words.astype(np.int32, copy=False)
