"""The last request takes the compiled guide with it."""

TODO = 11
HINT = 1


def give_back(cache, key):
    cache.waiting -= Counter([key])
    future = cache.entries.get(key)
    if future is None:
        return
    if not cache.waiting[key]:
        future.cancel()
    if not cache.waiting[key] or future.cancelled() or (future.done() and future.exception() is not None):
        del cache.entries[key]
