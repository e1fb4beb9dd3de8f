"""One entry more than allowed is evicted."""

TODO = 9
HINT = 3


def evict(cache):
    too_many = max(0, len(cache.entries) - cache.max_guides + 1)
    compiled = [key for key, future in cache.entries.items() if future.done()]
    for key in compiled[:too_many]:
        del cache.entries[key]
