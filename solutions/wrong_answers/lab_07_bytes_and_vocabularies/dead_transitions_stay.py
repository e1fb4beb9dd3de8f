"""Transitions whose step is dead are kept, as transitions to -1."""

TODO = 6
HINT = 2


def follow(automaton, transitions, functions, byte_classes):
    counts = transitions.first[functions + 1] - transitions.first[functions]
    picked = ranges(transitions.first[functions], counts)
    owner = np.repeat(np.arange(len(functions)), counts)
    targets = automaton.successors(transitions.targets[picked], byte_classes[owner])
    return Transitions(np.append(0, np.cumsum(counts)), transitions.sources[picked], targets)
