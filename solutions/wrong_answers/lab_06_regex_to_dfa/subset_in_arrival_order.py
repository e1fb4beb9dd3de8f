"""A subset lists its states in the order in which they were reached, so one set gets many names."""

TODO = 8
HINT = 2


def step_subset(subset, transitions, closures):
    reached = defaultdict(dict)
    for state in subset:
        for symbol_class, target in transitions[state]:
            reached[symbol_class].update(dict.fromkeys(closures[target]))
    return {symbol_class: tuple(states) for symbol_class, states in reached.items()}
