"""The target is looked up in the same row of the table."""

TODO = 8
HINT = 1


def weights_within(chain, budget):
    weights = np.full((budget + 1, len(chain) + 1), -np.inf)
    weights[:, END] = 0
    for left in range(1, budget + 1):
        for node, row in enumerate(chain):
            after = [score + weights[left, target] for target, score in row.values()]
            weights[left, node] = np.logaddexp.reduce(after)
    return weights
