"""A compiled guide stays while a request waits for its key, so the cache grows past its limit."""

TODO = 9
HINT = 2


def evict(cache):
    too_many = max(0, len(cache.entries) - cache.max_guides)
    compiled = [key for key, future in cache.entries.items() if future.done() and not cache.waiting[key]]
    for key in compiled[:too_many]:
        del cache.entries[key]
