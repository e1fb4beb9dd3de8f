"""A closure is kept by the number of its state, and given for that number in any automaton."""

TODO = 6
HINT = 2


def epsilon_closure(nfa, state, known={}):
    if state not in known:
        found, waiting = {state}, [state]
        while waiting:
            for target in nfa.epsilon[waiting.pop()]:
                if target not in found:
                    found.add(target)
                    waiting.append(target)
        known[state] = frozenset(found)
    return known[state]
