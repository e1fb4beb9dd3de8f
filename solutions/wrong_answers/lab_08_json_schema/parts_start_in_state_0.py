"""A part is entered in its state 0, wherever it starts."""

TODO = 15
HINT = 2


def splice(skeleton, parts):
    nfa = Nfa()
    first = add_copy(nfa, skeleton, nfa.accepting, without=parts)
    nfa.initial = first + skeleton.initial
    for marker, part in parts.items():
        copies = {}
        for state in range(len(skeleton)):
            target = skeleton.step(state, marker)
            if target != DEAD:
                if target not in copies:
                    copies[target] = add_copy(nfa, part, first + target)
                nfa.epsilon[first + state].append(copies[target])
    return minimize_dfa(nfa_to_dfa(nfa))
