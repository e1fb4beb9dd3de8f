"""The budget does not reach the mask."""

TODO = 5
HINT = 3


def sample_token(logits, context_token_ids, params, generator, structured_state=None, remaining=None):
    if structured_state is not None:
        logits = apply_structured_output_mask(logits, structured_state)
    return engine_parts.sample_token(logits, context_token_ids, params, generator)
