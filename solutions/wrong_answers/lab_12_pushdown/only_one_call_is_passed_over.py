"""After one call that may be empty no other is looked at."""

TODO = 3
HINT = 2


def unread(state, calls, nullable):
    found = [state]
    for each in [state]:
        for rule, target in calls.get(each, ()):
            if rule in nullable and target not in found:
                found.append(target)
    return found
