"""A colon is a colon, and the one of the white space, which may bring a space along, is not looked at."""

TODO = 8
HINT = 2


def member_regex(key, value, space):
    return f"{literal_regex(key)}:(?:{value})"
