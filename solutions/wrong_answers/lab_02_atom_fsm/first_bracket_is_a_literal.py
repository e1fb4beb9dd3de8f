"""A closing bracket right behind the opening one is read as a character, as POSIX and Python have it."""

TODO = 3
HINT = 3


def parse_class(pattern, position):
    if pattern.startswith("^", position + 1):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    chars, behind = set(), position + 1
    while not chars or not pattern.startswith("]", behind):
        if behind == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        more, behind = parse_item(pattern, behind)
        chars |= more
    return frozenset(chars), behind + 1
