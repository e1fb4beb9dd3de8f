"""A function without any transition left is dropped, and the functions after it move up."""

TODO = 6
HINT = 2


def follow(automaton, transitions, functions, byte_classes):
    counts = transitions.first[functions + 1] - transitions.first[functions]
    picked = ranges(transitions.first[functions], counts)
    owner = np.repeat(np.arange(len(functions)), counts)
    targets = automaton.successors(transitions.targets[picked], byte_classes[owner])
    alive = np.flatnonzero(targets != DEAD)
    _, first = np.unique(owner[alive], return_index=True)
    return Transitions(np.append(first, len(alive)), transitions.sources[picked[alive]], targets[alive])
