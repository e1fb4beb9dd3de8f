r"""A letter after a backslash is read as itself, so `\d` silently means the letter d."""

TODO = 4
HINT = 1


def parse_escape(pattern, position):
    if position + 1 == len(pattern):
        raise InvalidPattern("a backslash with nothing after it", pattern, position)
    char = pattern[position + 1]
    return CONTROLS.get(char, char), position + 2
