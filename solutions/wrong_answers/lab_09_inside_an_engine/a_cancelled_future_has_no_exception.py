"""A cancelled compile is asked for its exception, which raises."""

TODO = 11
HINT = 2


def give_back(cache, key):
    cache.waiting -= Counter([key])
    future = cache.entries.get(key)
    if future is None:
        return
    if not cache.waiting[key]:
        future.cancel()
    if future.done() and future.exception() is not None:
        del cache.entries[key]
