"""The run is cleaned by decoding it, which also drops the rest of a character that the last token began."""

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
    return bytes(run).decode(errors="ignore").encode()
