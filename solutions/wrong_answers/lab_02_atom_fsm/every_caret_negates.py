"""A caret is refused anywhere in a class, and only the first place gives it a meaning."""

TODO = 3
HINT = 3


def parse_class(pattern, position):
    chars, behind = set(), position + 1
    while not pattern.startswith("]", behind):
        if behind == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        if pattern[behind] == "^":
            raise UnsupportedPattern("a negated class '[^'", pattern, position)
        more, behind = parse_item(pattern, behind)
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return frozenset(chars), behind + 1
