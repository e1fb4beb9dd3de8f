"""A range gives its two ends and leaves out what lies between them."""

TODO = 2
HINT = 3


def parse_item(pattern, position):
    first, behind = read_char(pattern, position)
    if pattern[behind : behind + 1] != "-" or pattern[behind + 1 : behind + 2] in ("]", ""):
        return {first}, behind
    last, behind = read_char(pattern, behind + 1)
    if last < first:
        raise InvalidPattern("the range runs backwards", pattern, position)
    return {first, last}, behind
