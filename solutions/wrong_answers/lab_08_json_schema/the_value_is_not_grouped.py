"""The value follows the colon as it comes, and a bar in it leaves the key after."""

TODO = 8
HINT = 2


def member_regex(key, value, space):
    return f"{literal_regex(key)}{space.colon}{value}"
