"""The pieces are ordered by size instead of by id: the odds are right, but no run can be replayed."""

TODO = 6
HINT = 1


def sample(probs, u):
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    order = np.argsort(-probs, kind="stable")
    cumulative = np.cumsum(probs[order])
    return int(order[np.searchsorted(cumulative / cumulative[-1], u, side="right")])
