"""Only the first forced byte is returned."""

TODO = 2
HINT = 1


def forced_run(guide, state, limit):
    run, whole = bytearray(), 0
    while len(run) < limit:
        byte = forced_byte(guide, state)
        if byte is None:
            break
        run.append(byte)
        state = guide.after_byte(state, byte)
        whole = len(run) if guide.is_whole(state) else 0
        break
    return bytes(run[:whole])
