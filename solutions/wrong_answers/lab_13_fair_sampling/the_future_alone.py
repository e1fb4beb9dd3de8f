"""A token gets the weight of its target, and its own probability does not count."""

TODO = 4
HINT = 2


def fair_distribution(row, weights):
    scores = {token: weights[target] for token, (target, _) in sorted(row.items())}
    total = np.logaddexp.reduce([*scores.values()])
    return {token: float(np.exp(score - total)) for token, score in scores.items() if score > -np.inf}
