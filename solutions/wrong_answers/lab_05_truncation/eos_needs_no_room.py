"""The token for EOS is not counted, so the match is whole but EOS does not fit."""

TODO = 5
HINT = 2


def budget_row(row, transitions, distance, remaining):
    enough = row.copy()
    for token_id, target in transitions.items():
        enough[token_id] &= distance[target] + 1 <= remaining
    return enough
