"""The states of a set are written as they come out of it: in order while they are few and small, and not later."""

TODO = 8
HINT = 2


def step_subset(subset, transitions, closures):
    reached = defaultdict(set)
    for state in subset:
        for symbol_class, target in transitions[state]:
            reached[symbol_class].update(closures[target])
    return {symbol_class: tuple(states) for symbol_class, states in reached.items()}
