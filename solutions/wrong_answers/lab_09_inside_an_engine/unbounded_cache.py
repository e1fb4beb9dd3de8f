"""Nothing is ever evicted."""

TODO = 9
HINT = 1


def evict(cache):
    too_many = 0
    compiled = [key for key, future in cache.entries.items() if future.done()]
    for key in compiled[:too_many]:
        del cache.entries[key]
