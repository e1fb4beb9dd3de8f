"""A class that leads nowhere is entered as 0, so the automaton starts again instead of dying."""

TODO = 9
HINT = 2


def nfa_to_dfa(nfa):
    bounds, classes, transitions = number_classes(nfa)
    limits = SubsetLimits(len(nfa), n_classes=max(classes) + 1)
    closures = Closures(nfa, epsilon_closure, limits)
    subsets = [closures[nfa.initial]]
    numbers = {subsets[0]: 0}
    rows = []
    for subset in subsets:
        row = [0] * limits.n_classes
        for symbol_class, reached in step_subset(subset, transitions, closures).items():
            if reached not in numbers:
                limits.count_subset(reached)
                numbers[reached] = len(subsets)
                subsets.append(reached)
            row[symbol_class] = numbers[reached]
        rows.append(row)
    accepting = [nfa.accepting in subset for subset in subsets]
    return Dfa(bounds, classes, rows, initial=0, accepting=accepting)
