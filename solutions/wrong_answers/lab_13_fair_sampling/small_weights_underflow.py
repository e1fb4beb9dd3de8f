"""The exponentials are taken before the sum, so that small weights are all 0."""

TODO = 4
HINT = 2


def fair_distribution(row, weights):
    scores = {token: score + weights[target] for token, (target, score) in sorted(row.items())}
    total = sum(np.exp(score) for score in scores.values())
    return {token: float(np.exp(score) / total) for token, score in scores.items() if np.exp(score) > 0}
