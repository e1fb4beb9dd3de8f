"""The new guide is read from the cache after the cache has made room, and it may be what had to go."""

TODO = 10
HINT = 3


def find_or_compile(cache, key, compile_guide):
    if key in cache.entries:
        cache.hits += 1
        cache.entries.move_to_end(key)
    else:
        if cache.num_compiling() >= cache.max_compiling:
            raise QueueFull("grammars wait for their compile", cache.max_compiling)
        cache.misses += 1
        cache.entries[key] = cache.submit(compile_guide)
        evict(cache)
    cache.waiting[key] += 1
    return cache.entries[key]
