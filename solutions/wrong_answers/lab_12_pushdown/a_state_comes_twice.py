"""A state to which two calls lead is in the list twice."""

TODO = 3
HINT = 2


def unread(state, calls, nullable):
    found = [state]
    for each in found:
        for rule, target in calls.get(each, ()):
            if rule in nullable and (target not in found or (each == state and target != state)):
                found.append(target)
    return found
