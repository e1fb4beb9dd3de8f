"""Where fewer entries are there than allowed, a negative number cuts from the other end."""

TODO = 9
HINT = 3


def evict(cache):
    too_many = len(cache.entries) - cache.max_guides
    compiled = [key for key, future in cache.entries.items() if future.done()]
    for key in compiled[:too_many]:
        del cache.entries[key]
