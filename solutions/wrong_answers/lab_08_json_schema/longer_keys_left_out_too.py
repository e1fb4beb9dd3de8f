"""A key that starts like a declared one is left out with it."""

TODO = 17
HINT = 2


def other_keys(keys):
    starts = compile_dfa(f"(?:{'|'.join(map(re.escape, keys))})(?s:.)*" if keys else NOTHING)
    everything = compile_dfa("(?s:.)*")
    return encode_string(minimize_dfa(product(everything, starts, lambda any_text, key: any_text and not key)))
