"""Rules that read something are passed over too."""

TODO = 3
HINT = 1


def unread(state, calls, nullable):
    found = [state]
    for each in found:
        for _rule, target in calls.get(each, ()):
            if target not in found:
                found.append(target)
    return found
