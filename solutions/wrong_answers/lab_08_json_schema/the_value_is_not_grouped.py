"""The value is not put into a group, so a bar in it cuts the member in two."""

TODO = 8
HINT = 2


def member_regex(key, value, space):
    return f"{literal_regex(key)}{space.colon}{value}"
