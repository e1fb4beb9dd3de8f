"""The number of words is V // 32 + 1, one too many where V is a multiple of 32."""

TODO = 6
HINT = 2


def pack_mask(allowed):
    words = np.zeros(len(allowed) // 32 + 1, "<i4")
    packed = np.packbits(allowed, bitorder="little")
    words.view(np.uint8)[: len(packed)] = packed
    return words.astype(np.int32, copy=False)
