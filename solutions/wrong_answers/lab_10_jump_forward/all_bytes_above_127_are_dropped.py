"""A run that ends inside a character loses its last bytes down to an ASCII character, whole ones too."""

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
    while run and not guide.is_whole(state) and run[-1] > 127:
        run.pop()
    return bytes(run)
