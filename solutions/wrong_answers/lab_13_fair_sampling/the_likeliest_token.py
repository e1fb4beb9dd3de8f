"""The most likely token is taken, whatever is drawn."""

TODO = 5
HINT = 1


def sample_fair(chain, rows, draw):
    ids = []
    node = 0
    while node != END:
        odds = fair_distribution(chain[node], row_at(rows, len(ids)))
        if not odds:
            raise NoLegalToken(node, str(ids))
        ids.append(max(odds, key=lambda token: (odds[token], draw() < 0)))
        node = chain[node][ids[-1]][0]
    return ids
