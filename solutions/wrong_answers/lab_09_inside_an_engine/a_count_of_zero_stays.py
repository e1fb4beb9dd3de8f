"""The count of a key goes down to 0 and stays, one for every grammar that was ever asked for."""

TODO = 11
HINT = 3


def give_back(cache, key):
    cache.waiting[key] -= 1
    future = cache.entries.get(key)
    if future is None:
        return
    if not cache.waiting[key]:
        future.cancel()
    if future.cancelled() or (future.done() and future.exception() is not None):
        del cache.entries[key]
