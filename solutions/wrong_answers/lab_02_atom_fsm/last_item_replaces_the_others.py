"""Each item replaces what was collected before it."""

TODO = 6
HINT = 3


def parse_class(pattern, position):
    if pattern.startswith("^", position + 1):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    chars, after = set(), position + 1
    while not pattern.startswith("]", after):
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        chars, after = parse_item(pattern, after)
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return frozenset(chars), after + 1
