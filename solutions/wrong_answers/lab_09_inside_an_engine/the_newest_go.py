"""The entries that were used last are evicted."""

TODO = 9
HINT = 1


def evict(cache):
    too_many = max(0, len(cache.entries) - cache.max_guides)
    compiled = [key for key, future in cache.entries.items() if future.done()]
    for key in compiled[len(compiled) - too_many :]:
        del cache.entries[key]
