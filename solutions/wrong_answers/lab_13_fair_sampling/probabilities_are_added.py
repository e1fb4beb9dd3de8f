"""The probability and the weight are added and not multiplied."""

TODO = 4
HINT = 2


def fair_distribution(row, weights):
    scores = {
        token: np.log(np.exp(score) + np.exp(weights[target])) if weights[target] > -np.inf else -np.inf
        for token, (target, score) in sorted(row.items())
    }
    total = np.logaddexp.reduce([*scores.values()])
    return {token: float(np.exp(score - total)) for token, score in scores.items() if score > -np.inf}
