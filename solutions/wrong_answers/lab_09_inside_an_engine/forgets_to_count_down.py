"""The request is still counted among those that wait."""

TODO = 11
HINT = 3


def give_back(cache, key):
    if cache.waiting[key] == 1:
        cache.waiting -= Counter([key])
    future = cache.entries.get(key)
    if future is None:
        return
    if not cache.waiting[key]:
        future.cancel()
    if future.cancelled() or (future.done() and future.exception() is not None):
        del cache.entries[key]
