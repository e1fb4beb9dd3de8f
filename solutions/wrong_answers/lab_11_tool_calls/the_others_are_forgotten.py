"""Rows of other guides are not masked at all."""

TODO = 9
HINT = 3


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
