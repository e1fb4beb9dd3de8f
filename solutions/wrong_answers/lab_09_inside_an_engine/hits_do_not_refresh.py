"""A hit leaves the entry where it is, so the one that is used most may be evicted."""

TODO = 10
HINT = 2


def find_or_compile(cache, key, compile_guide):
    if key in cache.entries:
        cache.hits += 1
    else:
        if cache.num_compiling() >= cache.max_compiling:
            raise QueueFull("grammars wait for their compile", cache.max_compiling)
        cache.misses += 1
        cache.entries[key] = cache.submit(compile_guide)
        evict(cache)
    cache.waiting[key] += 1
    return cache.entries[key]
