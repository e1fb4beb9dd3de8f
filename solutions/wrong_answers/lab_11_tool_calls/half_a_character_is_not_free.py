"""A state is free if its number is below the free states', so half a character is not, and a negative one is."""

TODO = 7
HINT = 2


def advance_once(guide, state, token_id):
    known = guide.after.get((state, token_id))
    if known is None:
        known = guide.guide.advance(state, token_id)
        if state < guide.n_free:
            guide.after[state, token_id] = known
    return known
