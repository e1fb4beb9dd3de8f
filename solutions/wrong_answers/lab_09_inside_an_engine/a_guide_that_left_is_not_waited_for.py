"""A request whose new guide had to leave the cache at once isn't counted among those that wait."""

TODO = 10
HINT = 3


def find_or_compile(cache, key, compile_guide):
    future = cache.entries.get(key)
    if future is not None:
        cache.hits += 1
        cache.entries.move_to_end(key)
    else:
        if cache.num_compiling() >= cache.max_compiling:
            raise QueueFull("grammars wait for their compile", cache.max_compiling)
        future = cache.entries[key] = cache.submit(compile_guide)
        cache.misses += 1
        evict(cache)
    if key in cache.entries:
        cache.waiting[key] += 1
    return future
