"""An escaped space is refused, although a backslash before it means the space."""

TODO = 4
HINT = 3


def parse_escape(pattern, position):
    if position + 1 == len(pattern):
        raise InvalidPattern("a backslash with nothing after it", pattern, position)
    char = pattern[position + 1]
    if char in CONTROLS:
        return CONTROLS[char], position + 2
    if char.isspace() or (char.isascii() and char.isalnum()):
        raise UnsupportedPattern(f"the escape '\\{char}'", pattern, position)
    return char, position + 2
