"""Every token is drawn with a new generator of seed 0, so each step has the same random number."""

TODO = 5
HINT = 3


def sample_token(logits, context_token_ids, params, generator, structured_state=None, remaining=None):
    if structured_state is not None:
        logits = apply_structured_output_mask(logits, structured_state, remaining)
    return engine_parts.sample_token(logits, context_token_ids, params, np.random.default_rng(0))
