"""The run ends at the first byte after which a character is not complete, so it is ASCII alone."""

TODO = 2
HINT = 2


def forced_run(guide, state, limit):
    run = bytearray()
    while len(run) < limit:
        byte = forced_byte(guide, state)
        if byte is None:
            break
        state = guide.after_byte(state, byte)
        if not guide.is_whole(state):
            break
        run.append(byte)
    return bytes(run)
