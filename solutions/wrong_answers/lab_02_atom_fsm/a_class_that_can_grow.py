"""The characters are returned as a set, although a frozenset was promised."""

TODO = 6
HINT = 3


def parse_class(pattern, position):
    after, chars = position + 1, set()
    if pattern.startswith("^", after):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    while not pattern.startswith("]", after):
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        more, after = parse_item(pattern, after)
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return chars, after + 1
