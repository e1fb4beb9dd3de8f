"""`isalnum` is asked alone, and it is true for the letters of every alphabet."""

TODO = 4
HINT = 2


def parse_escape(pattern, position):
    if position + 1 == len(pattern):
        raise InvalidPattern("a backslash with nothing after it", pattern, position)
    char = pattern[position + 1]
    if char.isalnum() and char not in CONTROLS:
        raise UnsupportedPattern(f"the escape '\\{char}'", pattern, position)
    return CONTROLS.get(char, char), position + 2
