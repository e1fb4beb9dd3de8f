"""A key that was evicted is an error."""

TODO = 11
HINT = 2


def give_back(cache, key):
    cache.waiting -= Counter([key])
    future = cache.entries[key]
    if future is None:
        return
    if not cache.waiting[key]:
        future.cancel()
    if future.cancelled() or (future.done() and future.exception() is not None):
        del cache.entries[key]
