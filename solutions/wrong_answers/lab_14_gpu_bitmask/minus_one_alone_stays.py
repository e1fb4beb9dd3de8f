"""Only the state -1 stays, and not every state below 0."""

TODO = 17
HINT = 2


def advance_kernel(states_ptr, tokens_ptr, symbols_ptr, offsets_ptr, steps_ptr, SYMBOLS: tl.constexpr):
    row = tl.program_id(0)
    state = tl.load(states_ptr + row)
    if state != -1:
        token = tl.load(tokens_ptr + row)
        for place in range(tl.load(offsets_ptr + token), tl.load(offsets_ptr + token + 1)):
            symbol = tl.load(symbols_ptr + place)
            state = tl.load(steps_ptr + state * SYMBOLS + symbol)
        tl.store(states_ptr + row, state)
