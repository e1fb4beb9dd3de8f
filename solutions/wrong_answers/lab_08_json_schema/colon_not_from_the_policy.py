"""The colon is a bare `:`, so the space that `space.colon` allows after it is refused."""

TODO = 8
HINT = 2


def member_regex(key, value, space):
    return f"{literal_regex(key)}:(?:{value})"
