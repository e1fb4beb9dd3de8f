"""A range of one character is refused as if it ran backwards."""

TODO = 5
HINT = 3


def parse_item(pattern, position):
    first, after = read_char(pattern, position)
    if pattern[after : after + 1] != "-" or pattern[after + 1 : after + 2] in ("]", ""):
        return {first}, after
    last, after = read_char(pattern, after + 1)
    if last <= first:
        raise InvalidPattern(f"the range {first!r} to {last!r} runs backwards", pattern, position)
    return {chr(code) for code in range(ord(first), ord(last) + 1)}, after
