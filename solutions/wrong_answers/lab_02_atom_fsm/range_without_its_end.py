"""`range` leaves out its end, and so the last character of a range is missing."""

TODO = 2
HINT = 2


def parse_item(pattern, position):
    first, behind = read_char(pattern, position)
    if pattern[behind : behind + 1] != "-" or pattern[behind + 1 : behind + 2] in ("]", ""):
        return {first}, behind
    last, behind = read_char(pattern, behind + 1)
    if last < first:
        raise InvalidPattern("the range runs backwards", pattern, position)
    return {chr(code) for code in range(ord(first), ord(last))}, behind
