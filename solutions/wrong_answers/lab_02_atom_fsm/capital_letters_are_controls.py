"""A capital N after a backslash is read as a newline too, although other engines give it another meaning or none."""

TODO = 4
HINT = 2


def parse_escape(pattern, position):
    if position + 1 == len(pattern):
        raise InvalidPattern("a backslash with nothing after it", pattern, position)
    char = pattern[position + 1]
    if char.lower() in CONTROLS:
        return CONTROLS[char.lower()], position + 2
    if char.isascii() and char.isalnum():
        raise UnsupportedPattern(f"the escape '\\{char}'", pattern, position)
    return char, position + 2
