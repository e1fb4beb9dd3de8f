"""The compile is cancelled, but its entry stays for the next request to find."""

TODO = 11
HINT = 3


def give_back(cache, key):
    cache.waiting -= Counter([key])
    future = cache.entries.get(key)
    if future is None:
        return
    if not cache.waiting[key]:
        future.cancel()
    if not future.cancelled() and (future.done() and future.exception() is not None):
        del cache.entries[key]
