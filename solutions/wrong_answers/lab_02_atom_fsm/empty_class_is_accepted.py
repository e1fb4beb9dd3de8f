"""An empty class is accepted, and becomes an atom that matches nothing."""

TODO = 6
HINT = 3


def parse_class(pattern, position):
    if pattern.startswith("^", position + 1):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    chars, after = set(), position + 1
    while not pattern.startswith("]", after):
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        more, after = parse_item(pattern, after)
        chars |= more
    return frozenset(chars), after + 1
