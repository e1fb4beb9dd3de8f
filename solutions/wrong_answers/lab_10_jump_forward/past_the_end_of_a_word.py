"""Only the number of bytes is looked at, so the run goes on past a match."""

TODO = 2
HINT = 1


def forced_run(guide, state, limit):
    run, whole = bytearray(), 0
    while len(run) < limit and len(guide.next_bytes(state)) == 1:
        run += guide.next_bytes(state)
        state = guide.after_byte(state, run[-1])
        if guide.is_whole(state):
            whole = len(run)
    return bytes(run[:whole])
