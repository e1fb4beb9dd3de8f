"""A token whose target weighs nothing stays, with probability 0."""

TODO = 4
HINT = 2


def fair_distribution(row, weights):
    scores = {token: score + weights[target] for token, (target, score) in sorted(row.items())}
    total = np.logaddexp.reduce([*scores.values()])
    return {token: float(np.exp(score - total)) for token, score in scores.items()} if total > -np.inf else {}
