"""The last row of weights counts at every step."""

TODO = 5
HINT = 2


def sample_fair(chain, rows, draw):
    ids = []
    node = 0
    while node != END:
        odds = fair_distribution(chain[node], row_at(rows, len(rows)))
        if not odds:
            raise NoLegalToken(node, str(ids))
        ids.append([*odds][sample(np.array([*odds.values()]), draw())])
        node = chain[node][ids[-1]][0]
    return ids
