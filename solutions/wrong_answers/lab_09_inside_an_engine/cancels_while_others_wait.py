"""A request that leaves cancels the compile that another one waits for."""

TODO = 11
HINT = 2


def give_back(cache, key):
    cache.waiting -= Counter([key])
    future = cache.entries.get(key)
    if future is None:
        return
    future.cancel()
    if future.cancelled() or (future.done() and future.exception() is not None):
        del cache.entries[key]
