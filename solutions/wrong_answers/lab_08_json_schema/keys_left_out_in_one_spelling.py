"""The keys are left out after the step to JSON, and only as json.dumps writes them."""

TODO = 17
HINT = 1


def other_keys(keys):
    everything = encode_string(compile_dfa("(?s:.)*"))
    spelled = literals(json.dumps(key) for key in keys)
    return minimize_dfa(product(everything, spelled, lambda any_text, key: any_text and not key))
