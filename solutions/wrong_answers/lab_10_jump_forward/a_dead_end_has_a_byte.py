"""The first of the bytes that may come next is taken where there is none."""

TODO = 1
HINT = 3


def forced_byte(guide, state):
    following = guide.next_bytes(state)
    if len(following) > 1 or guide.is_accepting(state):
        return None
    return following[0]
