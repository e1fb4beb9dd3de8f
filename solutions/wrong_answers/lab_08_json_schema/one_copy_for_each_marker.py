"""All places of a marker share one copy, so one can enter it here and leave it there."""

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
                if marker not in copies:
                    copies[marker] = add_copy(nfa, part, first + target), len(nfa)
                start = copies[marker][0]
                nfa.epsilon[first + state].append(start + part.initial)
                for final in np.flatnonzero(part.accepting).tolist():
                    nfa.epsilon[start + final].append(first + target)
    return minimize_dfa(nfa_to_dfa(nfa))
