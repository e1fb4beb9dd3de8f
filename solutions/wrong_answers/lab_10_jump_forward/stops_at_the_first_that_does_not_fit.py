"""Tokens are added until one does not fit, although a longer tail may need fewer."""

TODO = 7
HINT = 2


def within_budget(guide, states, room):
    kept = 0
    for number, state in enumerate(states, start=1):
        if state is None:
            continue
        if number + guide.tokens_to_accept(state) + 1 > room:
            break
        kept = number
    return kept
