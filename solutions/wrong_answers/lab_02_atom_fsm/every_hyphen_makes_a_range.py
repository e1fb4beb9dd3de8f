"""A hyphen before the closing bracket is taken for a range that ends at the bracket."""

TODO = 5
HINT = 2


def parse_item(pattern, position):
    first, after = read_char(pattern, position)
    if pattern[after : after + 1] != "-" or after + 1 == len(pattern):
        return {first}, after
    last, after = read_char(pattern, after + 1)
    if last < first:
        raise InvalidPattern("the range runs backwards", pattern, position)
    return {chr(code) for code in range(ord(first), ord(last) + 1)}, after
