"""Only compiled entries count towards the cache's size."""

TODO = 9
HINT = 3


def evict(cache):
    compiled = [key for key, future in cache.entries.items() if future.done()]
    for key in compiled[: max(0, len(compiled) - cache.max_guides)]:
        del cache.entries[key]
