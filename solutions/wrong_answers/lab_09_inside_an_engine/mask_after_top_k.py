"""Top-k chooses among all tokens, and the mask comes after it."""

TODO = 5
HINT = 1


def sample_token(logits, context_token_ids, params, generator, structured_state=None, remaining=None):
    if params.top_k:
        logits = np.where(logits < np.sort(logits)[-params.top_k], np.float32(-np.inf), logits)
    if structured_state is not None:
        logits = apply_structured_output_mask(logits, structured_state, remaining)
    return engine_parts.sample_token(logits, context_token_ids, replace(params, top_k=0), generator)
