"""The set is a default argument, which is made once, so it still holds the characters of earlier classes."""

TODO = 6
HINT = 3


def parse_class(pattern, position, chars=set()):
    after = position + 1
    if pattern.startswith("^", after):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    if pattern.startswith("]", after):
        raise InvalidPattern("this class is empty", pattern, position)
    while not pattern.startswith("]", after):
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        more, after = parse_item(pattern, after)
        chars |= more
    return frozenset(chars), after + 1
