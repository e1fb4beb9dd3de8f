"""The loop does not check for the pattern's end, so an unclosed class raises an IndexError."""

TODO = 6
HINT = 2


def parse_class(pattern, position):
    if pattern.startswith("^", position + 1):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    chars, after = set(), position + 1
    while pattern[after] != "]":
        more, after = parse_item(pattern, after)
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return frozenset(chars), after + 1
