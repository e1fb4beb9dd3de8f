"""The place in the list of probabilities is taken for the id."""

TODO = 5
HINT = 3


def sample_fair(chain, rows, draw):
    ids = []
    node = 0
    while node != END:
        odds = fair_distribution(chain[node], row_at(rows, len(ids)))
        if not odds:
            raise NoLegalToken(node, str(ids))
        ids.append(sample(np.array([*odds.values()]), draw()))
        node = chain[node][[*odds][ids[-1]]][0]
    return ids
