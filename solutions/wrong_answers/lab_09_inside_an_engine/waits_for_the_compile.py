"""The exception is asked for before the compile is done, which waits for ever."""

TODO = 11
HINT = 2


def give_back(cache, key):
    cache.waiting -= Counter([key])
    future = cache.entries.get(key)
    if future is None:
        return
    if not cache.waiting[key]:
        future.cancel()
    if (
        future.cancelled()
        or (future.running() and future.exception(0) is not None)
        or (future.done() and future.exception() is not None)
    ):
        del cache.entries[key]
