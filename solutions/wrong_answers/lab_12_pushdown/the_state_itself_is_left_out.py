"""The state itself is not returned."""

TODO = 3
HINT = 1


def unread(state, calls, nullable):
    found = [state]
    for each in found:
        for rule, target in calls.get(each, ()):
            if rule in nullable and target not in found:
                found.append(target)
    return found[1:]
