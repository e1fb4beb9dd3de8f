"""The number of words is rounded down, and the tokens after the last whole word are lost."""

TODO = 6
HINT = 2


def pack_mask(allowed):
    whole = allowed[: len(allowed) // 32 * 32]
    return np.packbits(whole, bitorder="little").view("<i4").astype(np.int32, copy=False)
