"""A function of which no arrow is left is dropped, and those behind it move up."""

TODO = 6
HINT = 2


def follow(machine, arrows, functions, byte_classes):
    counts = arrows.first[functions + 1] - arrows.first[functions]
    picked = ranges(arrows.first[functions], counts)
    owner = np.repeat(np.arange(len(functions)), counts)
    targets = machine.successors(arrows.targets[picked], byte_classes[owner])
    alive = np.flatnonzero(targets != DEAD)
    _, first = np.unique(owner[alive], return_index=True)
    return Arrows(np.append(first, len(alive)), arrows.sources[picked[alive]], targets[alive])
