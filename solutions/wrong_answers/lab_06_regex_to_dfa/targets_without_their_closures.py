"""The targets of the transitions are collected without their epsilon closures."""

TODO = 8
HINT = 2


def step_subset(subset, transitions, closures):
    reached = defaultdict(set)
    for state in subset:
        for symbol_class, target in transitions[state]:
            reached[symbol_class].add(target)
    return {symbol_class: tuple(sorted(states)) for symbol_class, states in reached.items()}
