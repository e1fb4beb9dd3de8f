"""The error is at the letter after the backslash, but the escape starts at the backslash."""

TODO = 4
HINT = 2


def parse_escape(pattern, position):
    if position + 1 == len(pattern):
        raise InvalidPattern("a backslash with nothing after it", pattern, position)
    char = pattern[position + 1]
    if char.isascii() and char.isalnum() and char not in CONTROLS:
        raise UnsupportedPattern(f"the escape '\\{char}'", pattern, position + 1)
    return CONTROLS.get(char, char), position + 2
