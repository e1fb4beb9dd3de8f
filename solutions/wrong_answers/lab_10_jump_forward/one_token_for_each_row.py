"""Every row's length grows by one, whatever it read."""

TODO = 13
HINT = 3


def append_to_cache(cache, lengths, counts, new):
    rows = np.repeat(np.arange(len(counts)), counts)
    places = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    cache[rows, lengths[rows] + places] = new
    return lengths + (counts > 0)
