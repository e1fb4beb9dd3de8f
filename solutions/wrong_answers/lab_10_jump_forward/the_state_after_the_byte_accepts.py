"""Whether the text may end is asked after the byte and not before it."""

TODO = 1
HINT = 2


def forced_byte(guide, state):
    following = guide.next_bytes(state)
    if len(following) != 1 or guide.is_accepting(guide.after_byte(state, following[0])):
        return None
    return following[0]
