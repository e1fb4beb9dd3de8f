"""A subset is listed in the order of a Python set, which ascends only while its members are few and small."""

TODO = 8
HINT = 2


def step_subset(subset, transitions, closures):
    reached = defaultdict(set)
    for state in subset:
        for symbol_class, target in transitions[state]:
            reached[symbol_class].update(closures[target])
    return {symbol_class: tuple(states) for symbol_class, states in reached.items()}
