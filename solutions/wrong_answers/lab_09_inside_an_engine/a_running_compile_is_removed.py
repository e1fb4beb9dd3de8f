"""A compile that runs is removed when nobody waits, so the next request starts it a second time."""

TODO = 11
HINT = 2


def give_back(cache, key):
    cache.waiting -= Counter([key])
    future = cache.entries.get(key)
    if future is None:
        return
    if not cache.waiting[key] and not future.done():
        future.cancel()
        del cache.entries[key]
    elif future.done() and future.exception() is not None:
        del cache.entries[key]
