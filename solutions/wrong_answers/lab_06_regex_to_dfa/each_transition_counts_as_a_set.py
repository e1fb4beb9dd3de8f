"""Every set that a transition reaches counts against the limit, also one that was met before."""

TODO = 9
HINT = 2


def nfa_to_dfa(nfa):
    bounds, classes, transitions = number_classes(nfa)
    limits = SubsetLimits(len(nfa), n_classes=max(classes) + 1)
    closures = Closures(nfa, epsilon_closure, limits)
    numbers = {closures[nfa.initial]: 0}
    subsets, rows = list(numbers), []
    for subset in subsets:
        row = [DEAD] * limits.n_classes
        for symbol_class, reached in step_subset(subset, transitions, closures).items():
            limits.count_subset(reached)
            if reached not in numbers:
                numbers[reached] = len(subsets)
                subsets.append(reached)
            row[symbol_class] = numbers[reached]
        rows.append(row)
    return Dfa(bounds, classes, rows, 0, [nfa.accepting in subset for subset in subsets])
