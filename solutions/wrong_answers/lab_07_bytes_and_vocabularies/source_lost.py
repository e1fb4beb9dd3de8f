"""A transition starts where the last step ended, and its own source is lost."""

TODO = 6
HINT = 3


def follow(automaton, transitions, functions, byte_classes):
    counts = transitions.first[functions + 1] - transitions.first[functions]
    picked = ranges(transitions.first[functions], counts)
    owner = np.repeat(np.arange(len(functions)), counts)
    targets = automaton.successors(transitions.targets[picked], byte_classes[owner])
    alive = np.flatnonzero(targets != DEAD)
    first = np.searchsorted(owner[alive], np.arange(len(functions) + 1))
    return Transitions(first, transitions.targets[picked[alive]], targets[alive])
