"""The best text counts in the place of the sum, as in a table of minima."""

TODO = 8
HINT = 1


def weights_within(chain, budget):
    weights = np.full((budget + 1, len(chain) + 1), -np.inf)
    weights[:, END] = 0
    for left in range(1, budget + 1):
        for node, row in enumerate(chain):
            after = [score + weights[left - 1, target] for target, score in row.values()]
            weights[left, node] = max(after, default=-np.inf)
    return weights
