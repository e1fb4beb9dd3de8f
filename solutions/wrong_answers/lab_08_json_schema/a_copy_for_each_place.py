"""Every place gets a copy of its own, also where the way on is the same."""

TODO = 15
HINT = 2


def splice(skeleton, parts):
    nfa = Nfa()
    first = add_copy(nfa, skeleton, nfa.accepting, without=parts)
    nfa.initial = first + skeleton.initial
    for marker, part in parts.items():
        for state in range(len(skeleton)):
            target = skeleton.step(state, marker)
            if target != DEAD:
                copy = add_copy(nfa, part, first + target)
                nfa.epsilon[first + state].append(copy + part.initial)
    return minimize_dfa(nfa_to_dfa(nfa))
