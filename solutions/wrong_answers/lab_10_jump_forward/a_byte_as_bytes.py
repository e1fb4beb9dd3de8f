"""The forced byte comes back as a text of one byte and not as a number."""

TODO = 1
HINT = 3


def forced_byte(guide, state):
    following = guide.next_bytes(state)
    if len(following) != 1 or guide.is_accepting(state):
        return None
    return following
