"""Any number of compiles may wait."""

TODO = 10
HINT = 2


def find_or_compile(cache, key, compile_guide):
    if key in cache.entries:
        cache.hits += 1
        cache.entries.move_to_end(key)
    else:
        cache.misses += 1
        cache.entries[key] = cache.submit(compile_guide)
        evict(cache)
    cache.waiting[key] += 1
    return cache.entries[key]
