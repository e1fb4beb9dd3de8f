"""A hyphen before the closing bracket is taken for a range that ends at the bracket."""

TODO = 2
HINT = 2


def parse_item(pattern, position):
    first, behind = read_char(pattern, position)
    if pattern[behind : behind + 1] != "-" or behind + 1 == len(pattern):
        return {first}, behind
    last, behind = read_char(pattern, behind + 1)
    if last < first:
        raise InvalidPattern("the range runs backwards", pattern, position)
    return {chr(code) for code in range(ord(first), ord(last) + 1)}, behind
