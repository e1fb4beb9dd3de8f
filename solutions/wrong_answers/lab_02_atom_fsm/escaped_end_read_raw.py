"""The end of a range is read as it stands, so an escaped end is taken for the backslash."""

TODO = 2
HINT = 2


def parse_item(pattern, position):
    first, behind = read_char(pattern, position)
    if pattern[behind : behind + 1] != "-" or pattern[behind + 1 : behind + 2] in ("]", ""):
        return {first}, behind
    last = pattern[behind + 1]
    if last < first:
        raise InvalidPattern("the range runs backwards", pattern, position)
    return {chr(code) for code in range(ord(first), ord(last) + 1)}, behind + 2
