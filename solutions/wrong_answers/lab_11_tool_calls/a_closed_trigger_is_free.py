"""Where no call may follow, the trigger is free text."""

TODO = 5
HINT = 3


def link_triggers(triggers, root, entries, closed=False):
    states = []
    for node, trigger in enumerate(triggers.found):
        if trigger is None:
            states.append(root + node)
        else:
            states.append(root if closed else entries[trigger])
    return states
