"""The sums are taken of probabilities, and small weights become 0."""

TODO = 8
HINT = 3


def weights_within(chain, budget):
    weights = np.full((budget + 1, len(chain) + 1), -np.inf)
    weights[:, END] = 0
    for left in range(1, budget + 1):
        for node, row in enumerate(chain):
            after = [score + weights[left - 1, target] for target, score in row.values()]
            with np.errstate(divide="ignore"):
                weights[left, node] = np.log(np.exp(after).sum())
    return weights
