"""The ids are in the order of the row."""

TODO = 4
HINT = 3


def fair_distribution(row, weights):
    scores = {token: score + weights[target] for token, (target, score) in row.items()}
    total = np.logaddexp.reduce([*scores.values()])
    return {token: float(np.exp(score - total)) for token, score in scores.items() if score > -np.inf}
