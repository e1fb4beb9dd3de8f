"""All rows go on where the longest one ends."""

TODO = 13
HINT = 2


def append_to_cache(cache, lengths, counts, new):
    rows = np.repeat(np.arange(len(counts)), counts)
    places = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    cache[rows, lengths.max() + places] = new
    return lengths + counts
