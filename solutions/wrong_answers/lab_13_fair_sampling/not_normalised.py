"""The products are returned as they are."""

TODO = 4
HINT = 2


def fair_distribution(row, weights):
    scores = {token: score + weights[target] for token, (target, score) in sorted(row.items())}
    return {token: float(np.exp(score)) for token, score in scores.items() if score > -np.inf}
