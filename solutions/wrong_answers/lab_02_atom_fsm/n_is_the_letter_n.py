r"""The control letters are accepted but not translated: `\n` means the letter n."""

TODO = 4
HINT = 1


def parse_escape(pattern, position):
    if position + 1 == len(pattern):
        raise InvalidPattern("a backslash with nothing after it", pattern, position)
    char = pattern[position + 1]
    if char.isascii() and char.isalnum() and char not in CONTROLS:
        raise UnsupportedPattern(f"the escape '\\{char}'", pattern, position)
    return char, position + 2
