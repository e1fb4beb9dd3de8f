"""A string is any text between quotes in which quotes have a backslash, a popular but wrong expression."""

TODO = 2
HINT = 1


def string_regex(least=0, most=None):
    if most is not None and most < least:
        return NOTHING
    return rf'"(?:[^"\\]|\\.){count_regex(least, most)}"'
