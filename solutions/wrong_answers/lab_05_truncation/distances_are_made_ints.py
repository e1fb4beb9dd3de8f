"""The distance is made an int, and infinity has none."""

TODO = 5
HINT = 3


def budget_row(row, transitions, distance, remaining):
    enough = row.copy()
    for token_id, target in transitions.items():
        enough[token_id] &= int(distance[target]) + 2 <= remaining
    return enough
