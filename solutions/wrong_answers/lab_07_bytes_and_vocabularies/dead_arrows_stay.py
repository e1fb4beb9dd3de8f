"""Arrows whose step is dead are kept, as arrows that lead to -1."""

TODO = 6
HINT = 2


def follow(machine, arrows, functions, byte_classes):
    counts = arrows.first[functions + 1] - arrows.first[functions]
    picked = ranges(arrows.first[functions], counts)
    owner = np.repeat(np.arange(len(functions)), counts)
    targets = machine.successors(arrows.targets[picked], byte_classes[owner])
    return Arrows(np.append(0, np.cumsum(counts)), arrows.sources[picked], targets)
