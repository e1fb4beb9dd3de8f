"""The last word is filled up with ones, because nothing forbids what comes after the last token."""

TODO = 6
HINT = 2


def pack_mask(allowed):
    filled = np.concatenate([allowed, np.ones(-len(allowed) % 32, bool)])
    return np.packbits(filled, bitorder="little").view("<i4").astype(np.int32, copy=False)
