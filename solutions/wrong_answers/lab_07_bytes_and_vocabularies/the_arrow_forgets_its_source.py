"""An arrow is made to begin where the last step ended, and the state that it came from is forgotten."""

TODO = 6
HINT = 3


def follow(machine, arrows, functions, byte_classes):
    counts = arrows.first[functions + 1] - arrows.first[functions]
    picked = ranges(arrows.first[functions], counts)
    owner = np.repeat(np.arange(len(functions)), counts)
    targets = machine.successors(arrows.targets[picked], byte_classes[owner])
    alive = np.flatnonzero(targets != DEAD)
    first = np.searchsorted(owner[alive], np.arange(len(functions) + 1))
    return Arrows(first, arrows.targets[picked[alive]], targets[alive])
