"""The hyphen is looked for one character on, and behind an escape that is the middle of the escape."""

TODO = 2
HINT = 1


def parse_item(pattern, position):
    first, behind = read_char(pattern, position)
    if pattern[position + 1 : position + 2] != "-" or pattern[behind + 1 : behind + 2] in ("]", ""):
        return {first}, behind
    last, behind = read_char(pattern, position + 2)
    if last < first:
        raise InvalidPattern("the range runs backwards", pattern, position)
    return {chr(code) for code in range(ord(first), ord(last) + 1)}, behind
