"""Where the mask leaves nothing, a token is drawn from the unmasked logits."""

TODO = 5
HINT = 2


def sample_token(logits, context_token_ids, params, generator, structured_state=None, remaining=None):
    if structured_state is not None:
        masked = apply_structured_output_mask(logits, structured_state, remaining)
        logits = masked if (masked > -np.inf).any() else logits
    return engine_parts.sample_token(logits, context_token_ids, params, generator)
