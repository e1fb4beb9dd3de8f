"""A hyphen at the start of a class never starts a range, so `[--a]` is not read as one."""

TODO = 5
HINT = 2


def parse_item(pattern, position):
    first, after = read_char(pattern, position)
    no_range = pattern[after : after + 1] != "-" or pattern[after + 1 : after + 2] in ("]", "")
    if no_range or pattern[position - 1 : position + 1] == "[-":
        return {first}, after
    last, after = read_char(pattern, after + 1)
    if last < first:
        raise InvalidPattern("the range runs backwards", pattern, position)
    return {chr(code) for code in range(ord(first), ord(last) + 1)}, after
