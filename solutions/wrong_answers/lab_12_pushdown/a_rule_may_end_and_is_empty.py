"""A rule counts as empty if the first state after its initial one may end."""

TODO = 4
HINT = 1


def nullable_rules(initial, calls, ends):
    nullable = set()
    grown = True
    while grown:
        found = {
            rule
            for rule, first in enumerate(initial)
            if first in ends or any(t in ends for _, t in calls.get(first, ()))
        }
        grown = found != nullable
        nullable = found
    return nullable
