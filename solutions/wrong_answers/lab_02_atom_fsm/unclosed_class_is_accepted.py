"""The end of the pattern closes a class, as a bracket does."""

TODO = 6
HINT = 2


def parse_class(pattern, position):
    if pattern.startswith("^", position + 1):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    chars, after = set(), position + 1
    while after < len(pattern) and pattern[after] != "]":
        more, after = parse_item(pattern, after)
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return frozenset(chars), after + 1
