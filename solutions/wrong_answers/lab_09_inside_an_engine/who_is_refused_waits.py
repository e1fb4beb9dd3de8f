"""A request is counted among those that wait before the cache can refuse it, and that count stays."""

TODO = 10
HINT = 3


def find_or_compile(cache, key, compile_guide):
    cache.waiting[key] += 1
    future = cache.entries.get(key)
    if future is not None:
        cache.hits += 1
        cache.entries.move_to_end(key)
        return future
    if cache.num_compiling() >= cache.max_compiling:
        raise QueueFull("grammars wait for their compile", cache.max_compiling)
    future = cache.entries[key] = cache.submit(compile_guide)
    cache.misses += 1
    evict(cache)
    return future
