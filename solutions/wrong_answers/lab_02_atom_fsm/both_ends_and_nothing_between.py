"""A range gives its two ends and leaves out the characters between them."""

TODO = 5
HINT = 3


def parse_item(pattern, position):
    first, after = read_char(pattern, position)
    if pattern[after : after + 1] != "-" or pattern[after + 1 : after + 2] in ("]", ""):
        return {first}, after
    last, after = read_char(pattern, after + 1)
    if last < first:
        raise InvalidPattern("the range runs backwards", pattern, position)
    return {first, last}, after
