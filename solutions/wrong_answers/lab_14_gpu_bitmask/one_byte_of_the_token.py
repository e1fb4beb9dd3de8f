"""Only the first symbol of the token is read."""

TODO = 17
HINT = 2


def advance_kernel(states_ptr, tokens_ptr, symbols_ptr, offsets_ptr, steps_ptr, SYMBOLS: tl.constexpr):
    row = tl.program_id(0)
    state = tl.load(states_ptr + row)
    if state >= 0:
        token = tl.load(tokens_ptr + row)
        symbol = tl.load(symbols_ptr + tl.load(offsets_ptr + token))
        state = tl.load(steps_ptr + state * SYMBOLS + symbol)
        tl.store(states_ptr + row, state)
