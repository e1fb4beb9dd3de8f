"""Where one entry is too many, all that are compiled go."""

TODO = 9
HINT = 1


def evict(cache):
    too_many = max(0, len(cache.entries) - cache.max_guides)
    compiled = [key for key, future in cache.entries.items() if future.done()]
    for key in compiled if too_many else []:
        del cache.entries[key]
