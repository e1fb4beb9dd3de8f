"""The position given back is that of the closing bracket, and not the one behind it."""

TODO = 3
HINT = 3


def parse_class(pattern, position):
    if pattern.startswith("^", position + 1):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    chars, behind = set(), position + 1
    while not pattern.startswith("]", behind):
        if behind == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        more, behind = parse_item(pattern, behind)
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return frozenset(chars), behind
