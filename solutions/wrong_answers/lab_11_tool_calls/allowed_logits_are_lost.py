"""Where the allowed ids are listed, their logits become zero."""

TODO = 9
HINT = 2


def mask_rows(states, logits, remaining=None):
    others = list(states)
    for place, state in enumerate(states):
        if state is not None and isinstance(state.guide, ToolGuide):
            bitmask = state.guide.mask(state.current, None if remaining is None else remaining[place])
            row = logits[place]
            ids, allows = listed_ids(state.guide, bitmask, len(row))
            row[slice(None) if allows else ids] = -np.inf
            if allows:
                row[ids] = 0
            others[place] = None
    if any(state is not None for state in others):
        mask_batch(others, logits, remaining)
