"""The run ends where the choice begins, in the middle of a character."""

TODO = 2
HINT = 2


def forced_run(guide, state, limit):
    run = bytearray()
    while len(run) < limit:
        byte = forced_byte(guide, state)
        if byte is None:
            break
        run.append(byte)
        state = guide.after_byte(state, byte)
    return bytes(run)
