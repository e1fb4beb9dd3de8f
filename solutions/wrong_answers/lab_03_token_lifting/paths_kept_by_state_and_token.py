"""Paths are kept by state and token, so another automaton gets the paths of the first."""

TODO = 1
HINT = 1


def partial_match(fsm, state, token, kept={}):
    if (state, token) not in kept:
        states = [state]
        for char in token:
            target = fsm.transitions[states[-1]].get(char)
            if target is None:
                break
            states.append(target)
        kept[state, token] = tuple(states) if len(states) > len(token) else None
    return kept[state, token]
