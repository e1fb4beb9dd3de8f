"""The closing bracket is searched for first, and the search finds an escaped one."""

TODO = 6
HINT = 1


def parse_class(pattern, position):
    if pattern.startswith("^", position + 1):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    end, after, chars = pattern.find("]", position), position + 1, set()
    if end == -1:
        raise InvalidPattern("this class is never closed", pattern, position)
    while after < end:
        more, after = parse_item(pattern, after)
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return frozenset(chars), end + 1
