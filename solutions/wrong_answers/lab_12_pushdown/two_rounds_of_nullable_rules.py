"""Two rounds over the rules are enough."""

TODO = 4
HINT = 3


def nullable_rules(initial, calls, ends):
    nullable = set()
    for rule in reversed(range(len(initial))):
        if any(s in ends for s in unread(initial[rule], calls, nullable)):
            nullable.add(rule)
    for rule in range(len(initial)):
        if any(s in ends for s in unread(initial[rule], calls, nullable)):
            nullable.add(rule)
    return nullable
