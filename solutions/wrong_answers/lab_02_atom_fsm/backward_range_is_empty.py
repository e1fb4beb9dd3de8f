"""A range that runs backwards gives no characters, and no error."""

TODO = 2
HINT = 3


def parse_item(pattern, position):
    first, behind = read_char(pattern, position)
    if pattern[behind : behind + 1] != "-" or pattern[behind + 1 : behind + 2] in ("]", ""):
        return {first}, behind
    last, behind = read_char(pattern, behind + 1)
    return {chr(code) for code in range(ord(first), ord(last) + 1)}, behind
