"""Nothing checks that a character follows the backslash, so a pattern that ends with one raises an IndexError."""

TODO = 4
HINT = 1


def parse_escape(pattern, position):
    char = pattern[position + 1]
    if char.isascii() and char.isalnum() and char not in CONTROLS:
        raise UnsupportedPattern(f"the escape '\\{char}'", pattern, position)
    return CONTROLS.get(char, char), position + 2
