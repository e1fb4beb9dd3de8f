"""The run is followed to its end, and cut afterwards."""

TODO = 2
HINT = 3


def forced_run(guide, state, limit):
    run, whole = bytearray(), 0
    while True:
        byte = forced_byte(guide, state)
        if byte is None:
            break
        run.append(byte)
        state = guide.after_byte(state, byte)
        if guide.is_whole(state):
            whole = len(run)
    return bytes(run[: min(whole, limit)])
