"""A range that runs backwards gives no characters and no error."""

TODO = 5
HINT = 3


def parse_item(pattern, position):
    first, after = read_char(pattern, position)
    if pattern[after : after + 1] != "-" or pattern[after + 1 : after + 2] in ("]", ""):
        return {first}, after
    last, after = read_char(pattern, after + 1)
    return {chr(code) for code in range(ord(first), ord(last) + 1)}, after
