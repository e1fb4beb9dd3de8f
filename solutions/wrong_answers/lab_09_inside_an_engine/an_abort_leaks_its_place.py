"""A compile that nobody waits for is not cancelled and keeps its place in the queue."""

TODO = 11
HINT = 1


def give_back(cache, key):
    cache.waiting -= Counter([key])
    future = cache.entries.get(key)
    if future is None:
        return
    if future.cancelled() or (future.done() and future.exception() is not None):
        del cache.entries[key]
