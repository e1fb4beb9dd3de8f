"""The transitions on markers stay beside the copies."""

TODO = 15
HINT = 1


def splice(skeleton, parts):
    nfa = Nfa()
    first = add_copy(nfa, skeleton, nfa.accepting)
    nfa.initial = first + skeleton.initial
    for marker, part in parts.items():
        copies = {}
        for state in range(len(skeleton)):
            target = skeleton.step(state, marker)
            if target != DEAD:
                if target not in copies:
                    copies[target] = add_copy(nfa, part, first + target) + part.initial
                nfa.epsilon[first + state].append(copies[target])
    return minimize_dfa(nfa_to_dfa(nfa))
