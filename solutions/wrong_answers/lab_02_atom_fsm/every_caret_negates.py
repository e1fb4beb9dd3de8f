"""A caret is refused anywhere in a class, although only the first place gives it a meaning."""

TODO = 6
HINT = 3


def parse_class(pattern, position):
    chars, after = set(), position + 1
    while not pattern.startswith("]", after):
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        if pattern[after] == "^":
            raise UnsupportedPattern("a negated class '[^'", pattern, position)
        more, after = parse_item(pattern, after)
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return frozenset(chars), after + 1
