"""As soon as one token does not fit, all tokens off a shortest path are forbidden."""

TODO = 5
HINT = 2


def budget_row(row, transitions, distance, remaining):
    enough = row.copy()
    nearest = min((distance[target] for target in transitions.values()), default=0)
    if all(distance[target] + 2 <= remaining for target in transitions.values()):
        return enough
    for token_id, target in transitions.items():
        enough[token_id] &= distance[target] == nearest and nearest + 2 <= remaining
    return enough
