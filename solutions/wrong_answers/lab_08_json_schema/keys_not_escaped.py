"""A key is put between quotes without being escaped for JSON."""

TODO = 8
HINT = 1


def member_regex(key, value, space):
    return f'"{re.escape(key)}"{space.colon}(?:{value})'
