"""The sign bit is cleared so that no word is negative, and token 31 of each word is lost."""

TODO = 6
HINT = 2


def pack_mask(allowed):
    words = np.zeros(-(-len(allowed) // 32), "<i4")
    packed = np.packbits(allowed, bitorder="little")
    words.view(np.uint8)[: len(packed)] = packed
    return words.astype(np.int32) & 0x7FFFFFFF
