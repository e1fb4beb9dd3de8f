"""The budgets of the other rows are put together, while the rows keep their numbers."""

TODO = 9
HINT = 2


def mask_rows(states, logits, remaining=None):
    others = list(states)
    for place, state in enumerate(states):
        if state is not None and isinstance(state.guide, ToolGuide):
            bitmask = state.guide.mask(state.current, None if remaining is None else remaining[place])
            row = logits[place]
            ids, allows = listed_ids(state.guide, bitmask, len(row))
            if allows:
                kept = row[ids]
                row[:] = -np.inf
                row[ids] = kept
            else:
                row[ids] = -np.inf
            others[place] = None
    if any(state is not None for state in others):
        rows = [row for row, state in enumerate(others) if state is not None]
        mask_batch(others, logits, remaining and [remaining[row] for row in rows])
