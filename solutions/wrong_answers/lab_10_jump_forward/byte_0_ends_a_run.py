"""A loop that stops at a false value stops at the byte 0."""

TODO = 2
HINT = 1


def forced_run(guide, state, limit):
    run, whole = bytearray(), 0
    while len(run) < limit:
        byte = forced_byte(guide, state)
        if not byte:
            break
        run.append(byte)
        state = guide.after_byte(state, byte)
        if guide.is_whole(state):
            whole = len(run)
    return bytes(run[:whole])
