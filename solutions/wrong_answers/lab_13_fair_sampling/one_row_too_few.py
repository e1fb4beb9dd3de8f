"""The table has no row for the whole budget."""

TODO = 8
HINT = 2


def weights_within(chain, budget):
    weights = np.full((budget + 1, len(chain) + 1), -np.inf)
    weights[:, END] = 0
    for left in range(1, budget + 1):
        for node, row in enumerate(chain):
            after = [score + weights[left - 1, target] for target, score in row.values()]
            weights[left, node] = np.logaddexp.reduce(after)
    return weights[:-1] if budget else weights
