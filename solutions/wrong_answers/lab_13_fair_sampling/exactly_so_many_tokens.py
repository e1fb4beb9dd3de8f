"""A row counts the texts of exactly so many tokens."""

TODO = 8
HINT = 2


def weights_within(chain, budget):
    weights = np.full((budget + 1, len(chain) + 1), -np.inf)
    weights[0, END] = 0
    for left in range(1, budget + 1):
        for node, row in enumerate(chain):
            after = [score + weights[left - 1, target] for target, score in row.values()]
            weights[left, node] = np.logaddexp.reduce(after)
    weights[:, END] = 0
    return weights
