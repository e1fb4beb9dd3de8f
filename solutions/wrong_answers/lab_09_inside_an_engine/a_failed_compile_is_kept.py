"""A compile that failed stays in the cache and fails every later request."""

TODO = 11
HINT = 1


def give_back(cache, key):
    cache.waiting -= Counter([key])
    future = cache.entries.get(key)
    if future is None:
        return
    if not cache.waiting[key]:
        future.cancel()
    if future.cancelled():
        del cache.entries[key]
