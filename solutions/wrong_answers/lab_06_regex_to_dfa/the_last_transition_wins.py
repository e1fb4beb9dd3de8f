"""Of several transitions on one class the last replaces the others, so only one path is followed."""

TODO = 8
HINT = 1


def step_subset(subset, transitions, closures):
    reached = {}
    for state in subset:
        for symbol_class, target in transitions[state]:
            reached[symbol_class] = set(closures[target])
    return {symbol_class: tuple(sorted(states)) for symbol_class, states in reached.items()}
