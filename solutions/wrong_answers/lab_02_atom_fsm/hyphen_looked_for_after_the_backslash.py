"""The hyphen is looked for one character on, which after an escape is the middle of the escape."""

TODO = 5
HINT = 1


def parse_item(pattern, position):
    first, after = read_char(pattern, position)
    if pattern[position + 1 : position + 2] != "-" or pattern[after + 1 : after + 2] in ("]", ""):
        return {first}, after
    last, after = read_char(pattern, position + 2)
    if last < first:
        raise InvalidPattern("the range runs backwards", pattern, position)
    return {chr(code) for code in range(ord(first), ord(last) + 1)}, after
