"""A hyphen that stands first in a class is always taken for a character, and `[--a]` is not read as a range."""

TODO = 2
HINT = 2


def parse_item(pattern, position):
    first, behind = read_char(pattern, position)
    no_range = pattern[behind : behind + 1] != "-" or pattern[behind + 1 : behind + 2] in ("]", "")
    if no_range or pattern[position - 1 : position + 1] == "[-":
        return {first}, behind
    last, behind = read_char(pattern, behind + 1)
    if last < first:
        raise InvalidPattern("the range runs backwards", pattern, position)
    return {chr(code) for code in range(ord(first), ord(last) + 1)}, behind
