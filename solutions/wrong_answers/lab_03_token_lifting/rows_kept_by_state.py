"""Rows are kept by state and sizes, so another automaton or vocabulary of the same sizes gets the first one's."""

TODO = 2
HINT = 1


def allowed_tokens(fsm, state, texts, kept={}):
    key = (int(state), len(fsm), len(texts))
    if key not in kept:
        kept[key] = {}
        for token_id, text in enumerate(texts):
            if text and (states := partial_match(fsm, state, text)) is not None:
                kept[key][token_id] = states[-1]
    return dict(kept[key])
