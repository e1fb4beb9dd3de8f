"""The second copy of the free text leads into the first one."""

TODO = 5
HINT = 3


def link_triggers(triggers, root, entries, closed=False):
    states = []
    for node, trigger in enumerate(triggers.found):
        if trigger is None:
            states.append(node)
        else:
            states.append(-1 if closed else entries[trigger])
    return states
