"""The guide is asked once for each row."""

TODO = 6
HINT = 1


def mask_batch(states, logits, remaining=None):
    for row, state in enumerate(states):
        if state is not None:
            budget = None if remaining is None else remaining[row]
            logits[row, ~allowed(state.guide.mask(state.current, budget), logits.shape[1])] = -np.inf
