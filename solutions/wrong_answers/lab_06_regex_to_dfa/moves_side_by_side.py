"""Each set of classes that a move reads is a part of its own: a class that two moves read is in two parts."""

TODO = 8
HINT = 2


def step_subset(subset, moves):
    together = defaultdict(set)
    for state in subset:
        for classes, target in moves[state]:
            together[classes].add(target)
    return [(classes, frozenset(targets)) for classes, targets in together.items()]
