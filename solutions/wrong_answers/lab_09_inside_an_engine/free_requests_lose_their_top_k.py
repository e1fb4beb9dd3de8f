"""Without a state top-k is left out, as if only constrained requests had parameters."""

TODO = 5
HINT = 2


def sample_token(logits, context_token_ids, params, generator, structured_state=None, remaining=None):
    if structured_state is None:
        return engine_parts.sample_token(logits, context_token_ids, replace(params, top_k=0), generator)
    logits = apply_structured_output_mask(logits, structured_state, remaining)
    return engine_parts.sample_token(logits, context_token_ids, params, generator)
