"""The set is a default argument, which is made once, so it still holds the characters of earlier items."""

TODO = 5
HINT = 3


def parse_item(pattern, position, chars=set()):
    first, after = read_char(pattern, position)
    last = first
    if pattern[after : after + 1] == "-" and pattern[after + 1 : after + 2] not in ("]", ""):
        last, after = read_char(pattern, after + 1)
    if last < first:
        raise InvalidPattern(f"the range {first!r} to {last!r} runs backwards", pattern, position)
    chars |= {chr(code) for code in range(ord(first), ord(last) + 1)}
    return set(chars), after
