"""The closing bracket is looked for before anything is read, so an unclosed class hides the fault to its left."""

TODO = 6
HINT = 2


def parse_class(pattern, position):
    if "]" not in pattern[position:]:
        raise InvalidPattern("this class is never closed", pattern, position)
    after, chars = position + 1, set()
    if pattern.startswith("^", after):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    while not pattern.startswith("]", after):
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        more, after = parse_item(pattern, after)
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return frozenset(chars), after + 1
