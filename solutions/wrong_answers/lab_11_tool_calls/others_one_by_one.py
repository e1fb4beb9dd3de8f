"""Rows of other guides are handed to mask_batch one by one."""

TODO = 9
HINT = 1


def mask_rows(states, logits, remaining=None):
    others = list(states)
    for place, state in enumerate(states):
        if state is not None and isinstance(state.guide, ToolGuide):
            bitmask = state.guide.mask(state.current, None if remaining is None else remaining[place])
            row = logits[place]
            ids, allows = listed_ids(state.guide, bitmask, len(row))
            kept = row[ids]
            row[slice(None) if allows else ids] = -np.inf
            if allows:
                row[ids] = kept
            others[place] = None
    for row, state in enumerate(others):
        if state is not None:
            budget = None if remaining is None else remaining[row : row + 1]
            mask_batch([state], logits[row : row + 1], budget)
