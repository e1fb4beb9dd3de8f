"""Eviction ends at the first entry that still compiles, though later ones are compiled."""

TODO = 9
HINT = 2


def evict(cache):
    while len(cache.entries) > cache.max_guides:
        key, future = next(iter(cache.entries.items()))
        if not future.done():
            break
        del cache.entries[key]
