"""The mask is built from the transitions, and EOS is taken to be the last id."""

TODO = 5
HINT = 3


def budget_row(row, transitions, distance, remaining):
    enough = np.zeros(len(row), dtype=np.bool_)
    enough[-1] = row[-1]
    for token_id, target in transitions.items():
        enough[token_id] = row[token_id] and distance[target] + 2 <= remaining
    return enough
