"""A call that begins in state 0 is taken for one that may not begin."""

TODO = 5
HINT = 3


def link_triggers(triggers, root, entries, closed=False):
    states = []
    for node, trigger in enumerate(triggers.found):
        if trigger is None:
            states.append(root + node)
        else:
            states.append(DEAD if closed else entries[trigger] or DEAD)
    return states
