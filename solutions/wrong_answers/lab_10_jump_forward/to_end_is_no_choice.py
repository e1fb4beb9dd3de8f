"""A text that may end is forced to go on, past the accepting state."""

TODO = 1
HINT = 2


def forced_byte(guide, state):
    following = guide.next_bytes(state)
    if len(following) != 1:
        return None
    return following[0]
