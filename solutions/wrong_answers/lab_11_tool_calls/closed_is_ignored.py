"""Calls may follow the first one although they are not parallel."""

TODO = 5
HINT = 3


def link_triggers(triggers, root, entries, closed=False):
    states = []
    for node, trigger in enumerate(triggers.found):
        if trigger is None:
            states.append(root + node)
        else:
            states.append(entries[trigger])
    return states
