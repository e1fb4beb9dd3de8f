"""The places count on from one row to the next."""

TODO = 13
HINT = 2


def append_to_cache(cache, lengths, counts, new):
    rows = np.repeat(np.arange(len(counts)), counts)
    places = np.arange(len(rows))
    cache[rows, (lengths[rows] + places) % cache.shape[1]] = new
    return lengths + counts
