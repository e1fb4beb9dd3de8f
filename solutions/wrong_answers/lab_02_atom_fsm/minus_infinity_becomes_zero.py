"""A token that the model itself rules out, with minus infinity, gets the logit 0."""

TODO = 3
HINT = 2


def generate(model: Model, fsm: Fsm, texts: Sequence[str | None], us: Sequence[float]) -> list[int]:
    ids: list[int] = []
    state: int | None = fsm.initial
    for u in us:
        assert state is not None  # only tokens that the automaton survives are ever chosen
        allowed = token_mask(fsm, state, texts)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(np.nan_to_num(model(ids), neginf=0.0), allowed)), u))
        state = advance(fsm, state, texts[ids[-1]] or "")
    return ids
