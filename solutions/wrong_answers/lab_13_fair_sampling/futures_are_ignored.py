"""The tokens are normalised by their own probabilities alone, which is masking."""

TODO = 4
HINT = 1


def fair_distribution(row, weights):
    scores = {token: score if weights[target] > -np.inf else -np.inf for token, (target, score) in sorted(row.items())}
    total = np.logaddexp.reduce([*scores.values()])
    return {token: float(np.exp(score - total)) for token, score in scores.items() if score > -np.inf}
