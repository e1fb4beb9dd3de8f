"""The byte 0 is forced like any other, and is taken for nothing."""

TODO = 1
HINT = 1


def forced_byte(guide, state):
    following = guide.next_bytes(state)
    if len(following) != 1 or guide.is_accepting(state):
        return None
    return following[0] or None
