"""The new vectors are written over the old ones, from position 0 on."""

TODO = 13
HINT = 1


def append_to_cache(cache, lengths, counts, new):
    rows = np.repeat(np.arange(len(counts)), counts)
    places = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    cache[rows, places] = new
    return lengths + counts
