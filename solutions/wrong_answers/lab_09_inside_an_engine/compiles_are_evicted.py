"""The oldest entries go, also those whose compile is under way."""

TODO = 9
HINT = 2


def evict(cache):
    too_many = max(0, len(cache.entries) - cache.max_guides)
    compiled = [key for key, future in cache.entries.items()]
    for key in compiled[:too_many]:
        del cache.entries[key]
