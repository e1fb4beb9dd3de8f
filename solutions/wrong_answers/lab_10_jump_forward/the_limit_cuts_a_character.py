"""Where the limit ends the run, nobody asks whether a character is complete."""

TODO = 2
HINT = 2


def forced_run(guide, state, limit):
    run, whole = bytearray(), 0
    while len(run) < limit:
        byte = forced_byte(guide, state)
        if byte is None:
            break
        run.append(byte)
        state = guide.after_byte(state, byte)
        if guide.is_whole(state):
            whole = len(run)
    return bytes(run if len(run) == limit else run[:whole])
