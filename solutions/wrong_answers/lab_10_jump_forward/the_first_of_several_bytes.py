"""Where several bytes may come, the first of them is called forced."""

TODO = 1
HINT = 1


def forced_byte(guide, state):
    following = guide.next_bytes(state)
    if not following or guide.is_accepting(state):
        return None
    return following[0]
