"""A failed compile is removed only when nobody waits, so requests that come meanwhile get the old error."""

TODO = 11
HINT = 1


def give_back(cache, key):
    cache.waiting -= Counter([key])
    future = cache.entries.get(key)
    if future is None or cache.waiting[key]:
        return
    if future.cancel() or (future.done() and future.exception() is not None):
        del cache.entries[key]
