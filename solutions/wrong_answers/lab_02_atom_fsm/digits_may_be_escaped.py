r"""Only letters are refused after a backslash, so the backreference `\1` is read as the digit 1."""

TODO = 4
HINT = 3


def parse_escape(pattern, position):
    if position + 1 == len(pattern):
        raise InvalidPattern("a backslash with nothing after it", pattern, position)
    char = pattern[position + 1]
    if char.isascii() and char.isalpha() and char not in CONTROLS:
        raise UnsupportedPattern(f"the escape '\\{char}'", pattern, position)
    return CONTROLS.get(char, char), position + 2
