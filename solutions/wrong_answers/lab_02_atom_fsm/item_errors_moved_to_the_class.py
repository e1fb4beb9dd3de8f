"""Errors of an item are reported where the class starts, not at the item."""

TODO = 6
HINT = 2


def parse_class(pattern, position):
    if pattern.startswith("^", position + 1):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    chars, after = set(), position + 1
    while not pattern.startswith("]", after):
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        try:
            more, after = parse_item(pattern, after)
        except (InvalidPattern, UnsupportedPattern) as error:
            raise type(error)(error.problem, pattern, position) from error
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return frozenset(chars), after + 1
