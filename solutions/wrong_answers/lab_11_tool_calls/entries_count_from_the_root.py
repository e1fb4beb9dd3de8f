"""The states of the calls are counted from the free text's root."""

TODO = 5
HINT = 2


def link_triggers(triggers, root, entries, closed=False):
    states = []
    for node, trigger in enumerate(triggers.found):
        if trigger is None:
            states.append(root + node)
        else:
            states.append(-1 if closed else root + entries[trigger])
    return states
