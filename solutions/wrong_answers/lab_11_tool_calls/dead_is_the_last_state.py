"""A dead transition of a body becomes a state: -1 is shifted, or looked up as accepting[-1]."""

TODO = 6
HINT = 2


def join(bodies, *, required=False, parallel=True):
    triggers = make_triggers(bodies)
    automata = list({id(body[0]): body[0] for body in bodies.values() if body}.values())
    alphabet = shared_alphabet(automata, set("".join(bodies)))
    free = np.array(free_rows(triggers, alphabet.symbols))
    roots = [0] if parallel and not required else [0, len(free)]
    starts = np.cumsum([len(roots) * len(free), *map(len, automata)]).tolist()
    place = {id(automaton): start for automaton, start in zip(automata, starts, strict=False)}
    entries = {text: place[id(body[0])] + body[1] if body else DEAD for text, body in bodies.items()}
    blocks = [
        np.array(link_triggers(triggers, root, entries, closed=root > 0 and not parallel))[free] for root in roots
    ]
    for automaton, start in zip(automata, starts, strict=False):
        rows = rows_of(automaton, alphabet.symbols)
        blocks.append(np.where(automaton.accepting[rows], roots[-1], np.maximum(rows + start, 0)))
    accepting = np.arange(starts[-1]) < starts[0]
    accepting[: len(free)] = not required
    dfa = Dfa(alphabet.bounds, alphabet.classes, np.concatenate(blocks), 0, accepting)
    return Joined(dfa, triggers.depths * len(roots))
