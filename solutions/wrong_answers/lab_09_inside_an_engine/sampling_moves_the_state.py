"""The state moves over the token here, and once more when the engine advances it."""

TODO = 5
HINT = 3


def sample_token(logits, context_token_ids, params, generator, structured_state=None, remaining=None):
    if structured_state is not None:
        logits = apply_structured_output_mask(logits, structured_state, remaining)
    token = engine_parts.sample_token(logits, context_token_ids, params, generator)
    if structured_state is not None:
        structured_state.advance(token)
    return token
