"""`range` leaves out its end, so the last character of a range is missing."""

TODO = 5
HINT = 2


def parse_item(pattern, position):
    first, after = read_char(pattern, position)
    if pattern[after : after + 1] != "-" or pattern[after + 1 : after + 2] in ("]", ""):
        return {first}, after
    last, after = read_char(pattern, after + 1)
    if last < first:
        raise InvalidPattern("the range runs backwards", pattern, position)
    return {chr(code) for code in range(ord(first), ord(last))}, after
