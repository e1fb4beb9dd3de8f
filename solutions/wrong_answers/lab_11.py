"""Wrong answers of lab 11: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("step", hint=1)
def back_to_the_root(triggers, node, char):
    """When no child fits, you start again at the root, and lose the part of a trigger that the failure still has."""
    return triggers.children[node].get(char, 0)


@mistake("failure_links", hint=1)
def failures_are_the_root(children, ends):
    """You make every failure the root, as if no trigger could begin inside another."""
    failure, found = [0] * len(children), list(ends)
    waiting = deque(children[0].values())
    while waiting:
        node = waiting.popleft()
        found[node] = ends[node] or found[failure[node]]
        for char, child in children[node].items():
            fallback = failure[node]
            while fallback and char not in children[fallback]:
                fallback = failure[fallback]
            failure[child] = 0
            waiting.append(child)
    return failure, found


@mistake("failure_links", hint=3)
def only_whole_nodes_are_found(children, ends):
    """You don't notice a trigger that's inside the path of a longer one."""
    failure, found = [0] * len(children), list(ends)
    waiting = deque(children[0].values())
    while waiting:
        node = waiting.popleft()
        for char, child in children[node].items():
            fallback = failure[node]
            while fallback and char not in children[fallback]:
                fallback = failure[fallback]
            failure[child] = children[fallback].get(char, 0)
            waiting.append(child)
    return failure, found


@mistake("failure_links", hint=2)
def one_failure_is_enough(children, ends):
    """You try only the parent's failure, and give up if it has no such child. Go on to its failure, and ask again."""
    failure, found = [0] * len(children), list(ends)
    waiting = deque(children[0].values())
    while waiting:
        node = waiting.popleft()
        found[node] = ends[node] or found[failure[node]]
        for char, child in children[node].items():
            failure[child] = children[failure[node]].get(char, 0) if node else 0
            waiting.append(child)
    return failure, found


@mistake("link_triggers", hint=3)
def closed_is_ignored(triggers, root, entries, closed=False):
    """You ignore ``closed``, so more calls may follow the first one, even if calls mustn't be parallel."""
    states = []
    for node, trigger in enumerate(triggers.found):
        if trigger is None:
            states.append(root + node)
        else:
            states.append(entries[trigger])
    return states


@mistake("link_triggers", hint=2)
def entries_count_from_the_root(triggers, root, entries, closed=False):
    """You add ``root`` to the entries as well, but they're the joined table's own states already."""
    states = []
    for node, trigger in enumerate(triggers.found):
        if trigger is None:
            states.append(root + node)
        else:
            states.append(-1 if closed else root + entries[trigger])
    return states


@mistake("join", hint=3)
def a_call_may_end_the_answer(bodies, *, required=False, parallel=True):
    """You accept in every state, so an answer may end in the middle of a call."""
    triggers = make_triggers(bodies)
    automata = list({id(body[0]): body[0] for body in bodies.values() if body}.values())
    alphabet = shared_alphabet(automata, set("".join(bodies)))
    free = np.array(free_rows(triggers, alphabet.symbols))
    roots = [0] if parallel and not required else [0, len(free)]
    starts = np.cumsum([len(roots) * len(free), *map(len, automata)]).tolist()
    place = {id(automaton): start for automaton, start in zip(automata, starts, strict=False)}
    entries = {text: place[id(body[0])] + body[1] if body else DEAD for text, body in bodies.items()}
    blocks = [np.array(link_triggers(triggers, root, entries, root > 0 and not parallel))[free] for root in roots]
    for automaton, start in zip(automata, starts, strict=False):
        rows = rows_of(automaton, alphabet.symbols)
        blocks.append(np.where(rows == DEAD, DEAD, np.where(automaton.accepting[rows], roots[-1], rows + start)))
    accepting = np.arange(starts[-1]) >= 0
    accepting[: len(free)] = not required
    dfa = Dfa(alphabet.bounds, alphabet.classes, np.concatenate(blocks), 0, accepting)
    return Joined(dfa, triggers.depths * len(roots))


@mistake("join", hint=2)
def back_to_the_first_free_text(bodies, *, required=False, parallel=True):
    """You lead every call back to the first block of free text. If there are two, what follows a call is the second."""
    triggers = make_triggers(bodies)
    automata = list({id(body[0]): body[0] for body in bodies.values() if body}.values())
    alphabet = shared_alphabet(automata, set("".join(bodies)))
    free = np.array(free_rows(triggers, alphabet.symbols))
    roots = [0] if parallel and not required else [0, len(free)]
    starts = np.cumsum([len(roots) * len(free), *map(len, automata)]).tolist()
    place = {id(automaton): start for automaton, start in zip(automata, starts, strict=False)}
    entries = {text: place[id(body[0])] + body[1] if body else DEAD for text, body in bodies.items()}
    blocks = [np.array(link_triggers(triggers, root, entries, root > 0 and not parallel))[free] for root in roots]
    for automaton, start in zip(automata, starts, strict=False):
        rows = rows_of(automaton, alphabet.symbols)
        blocks.append(np.where(rows == DEAD, DEAD, np.where(automaton.accepting[rows], 0, rows + start)))
    accepting = np.arange(starts[-1]) < starts[0]
    accepting[: len(free)] = not required
    dfa = Dfa(alphabet.bounds, alphabet.classes, np.concatenate(blocks), 0, accepting)
    return Joined(dfa, triggers.depths * len(roots))


@mistake("join", hint=2)
def calls_stay_inside(bodies, *, required=False, parallel=True):
    """When a body ends, you stay in it, where nothing can follow. Go back to free text instead."""
    triggers = make_triggers(bodies)
    automata = list({id(body[0]): body[0] for body in bodies.values() if body}.values())
    alphabet = shared_alphabet(automata, set("".join(bodies)))
    free = np.array(free_rows(triggers, alphabet.symbols))
    roots = [0] if parallel and not required else [0, len(free)]
    starts = np.cumsum([len(roots) * len(free), *map(len, automata)]).tolist()
    place = {id(automaton): start for automaton, start in zip(automata, starts, strict=False)}
    entries = {text: place[id(body[0])] + body[1] if body else DEAD for text, body in bodies.items()}
    blocks = [np.array(link_triggers(triggers, root, entries, root > 0 and not parallel))[free] for root in roots]
    for automaton, start in zip(automata, starts, strict=False):
        rows = rows_of(automaton, alphabet.symbols)
        blocks.append(np.where(rows == DEAD, DEAD, rows + start))
    accepting = np.arange(starts[-1]) < starts[0]
    accepting[: len(free)] = not required
    accepting[starts[0] :] = [ends for automaton in automata for ends in automaton.accepting]
    dfa = Dfa(alphabet.bounds, alphabet.classes, np.concatenate(blocks), 0, accepting)
    return Joined(dfa, triggers.depths * len(roots))


@mistake("join", hint=2)
def dead_is_the_last_state(bodies, *, required=False, parallel=True):
    """You treat -1 like a state: you shift it, or look up accepting[-1], and what was dead comes alive."""
    triggers = make_triggers(bodies)
    automata = list({id(body[0]): body[0] for body in bodies.values() if body}.values())
    alphabet = shared_alphabet(automata, set("".join(bodies)))
    free = np.array(free_rows(triggers, alphabet.symbols))
    roots = [0] if parallel and not required else [0, len(free)]
    starts = np.cumsum([len(roots) * len(free), *map(len, automata)]).tolist()
    place = {id(automaton): start for automaton, start in zip(automata, starts, strict=False)}
    entries = {text: place[id(body[0])] + body[1] if body else DEAD for text, body in bodies.items()}
    blocks = [np.array(link_triggers(triggers, root, entries, root > 0 and not parallel))[free] for root in roots]
    for automaton, start in zip(automata, starts, strict=False):
        rows = rows_of(automaton, alphabet.symbols)
        blocks.append(np.where(automaton.accepting[rows], roots[-1], np.maximum(rows + start, 0)))
    accepting = np.arange(starts[-1]) < starts[0]
    accepting[: len(free)] = not required
    dfa = Dfa(alphabet.bounds, alphabet.classes, np.concatenate(blocks), 0, accepting)
    return Joined(dfa, triggers.depths * len(roots))


@mistake("join", hint=3)
def required_is_ignored(bodies, *, required=False, parallel=True):
    """You let the answer end before a call that's required."""
    triggers = make_triggers(bodies)
    automata = list({id(body[0]): body[0] for body in bodies.values() if body}.values())
    alphabet = shared_alphabet(automata, set("".join(bodies)))
    free = np.array(free_rows(triggers, alphabet.symbols))
    roots = [0] if parallel and not required else [0, len(free)]
    starts = np.cumsum([len(roots) * len(free), *map(len, automata)]).tolist()
    place = {id(automaton): start for automaton, start in zip(automata, starts, strict=False)}
    entries = {text: place[id(body[0])] + body[1] if body else DEAD for text, body in bodies.items()}
    blocks = [np.array(link_triggers(triggers, root, entries, root > 0 and not parallel))[free] for root in roots]
    for automaton, start in zip(automata, starts, strict=False):
        rows = rows_of(automaton, alphabet.symbols)
        blocks.append(np.where(rows == DEAD, DEAD, np.where(automaton.accepting[rows], roots[-1], rows + start)))
    accepting = np.arange(starts[-1]) < starts[0]
    dfa = Dfa(alphabet.bounds, alphabet.classes, np.concatenate(blocks), 0, accepting)
    return Joined(dfa, triggers.depths * len(roots))


@mistake("merge_openings", hint=1)
def all_openings_stay(openings):
    """You keep an opening beside a shorter one that it begins with, but only the shorter can ever be found."""
    return dict(openings)


@mistake("merge_openings", hint=2)
def openings_without_a_body_are_dropped(openings):
    """You drop an opening that has no body, so its text passes for free text. Keep it, with None: it's forbidden."""
    texts = list(dict.fromkeys(text for text, _ in openings))
    merged = {}
    for short in texts:
        if any(short.startswith(other) for other in texts if other != short):
            continue
        bodies = [(text[len(short) :], body) for text, body in openings if body and text.startswith(short)]
        alone = len(bodies) == 1 and not bodies[0][0]
        merged[short] = bodies[0][1] if alone else either(bodies) if bodies else None
    return {text: body for text, body in merged.items() if body}


@mistake("merge_openings", hint=3)
def the_rest_is_forgotten(openings):
    """After the shorter opening, you go straight to the longer one's body, and skip the characters between them."""
    texts = list(dict.fromkeys(text for text, _ in openings))
    merged = {}
    for short in texts:
        if any(short.startswith(other) for other in texts if other != short):
            continue
        bodies = [("", body) for text, body in openings if body and text.startswith(short)]
        alone = len(bodies) == 1 and not bodies[0][0]
        merged[short] = bodies[0][1] if alone else either(bodies) if bodies else None
    return merged


@mistake("split_answer", hint=3)
def a_dead_state_steps_on(joined, state, held, text):
    """You ask the automaton for a step from -1, and Python takes that for its last row."""
    parts = []
    free = ""
    for char in text:
        was_free = 0 <= state < len(joined.held)
        state = joined.dfa.step(state, ord(char))
        held += char
        if not 0 <= state < len(joined.held):
            continue
        if was_free:
            settled = len(held) - joined.held[state]
            free, held = free + held[:settled], held[settled:]
        else:
            parts += [("text", free)] * bool(free) + [("block", held)]
            free, held = "", ""
    return state, held, parts + [("text", free)] * bool(free)


@mistake("split_answer", hint=2)
def every_piece_begins_anew(joined, state, held, text):
    """You drop the text that you'd held back after the last piece."""
    parts, free, held = [], "", ""
    for char in text:
        was_free = 0 <= state < len(joined.held)
        state = joined.dfa.step(state, ord(char)) if state != DEAD else DEAD
        held += char
        if not 0 <= state < len(joined.held):
            continue
        if was_free:
            settled = len(held) - joined.held[state]
            free, held = free + held[:settled], held[settled:]
        else:
            parts += [("text", free)] * bool(free) + [("block", held)]
            free, held = "", ""
    return state, held, parts + [("text", free)] * bool(free)


@mistake("split_answer", hint=2)
def nothing_held_is_everything(joined, state, held, text):
    """When there's nothing to hold back, your slice from minus zero holds back everything."""
    parts = []
    free = ""
    for char in text:
        was_free = 0 <= state < len(joined.held)
        state = joined.dfa.step(state, ord(char)) if state != DEAD else DEAD
        held += char
        if not 0 <= state < len(joined.held):
            continue
        if was_free:
            free, held = free + held[: -joined.held[state]], held[-joined.held[state] :]
        else:
            parts += [("text", free)] * bool(free) + [("block", held)]
            free, held = "", ""
    return state, held, parts + [("text", free)] * bool(free)


@mistake("split_answer", hint=1)
def triggers_leak(joined, state, held, text):
    """You send free text immediately, and half a trigger goes out with it."""
    parts, free = [], ""
    for char in text:
        was_free = 0 <= state < len(joined.held)
        state = joined.dfa.step(state, ord(char)) if state != DEAD else DEAD
        held += char
        if not 0 <= state < len(joined.held):
            continue
        if was_free:
            settled = len(held)
            free, held = free + held[:settled], held[settled:]
        else:
            parts += [("text", free)] * bool(free) + [("block", held)]
            free, held = "", ""
    return state, held, parts + [("text", free)] * bool(free)


@mistake("mask_rows", hint=3)
def added_and_not_set(states, logits, remaining=None):
    """You add minus infinity to the logits, and get NaN for some. Set it instead."""
    others = list(states)
    for place, state in enumerate(states):
        if state is not None and isinstance(state.guide, ToolGuide):
            bitmask = state.guide.mask(state.current, None if remaining is None else remaining[place])
            row = logits[place]
            ids, allows = listed_ids(state.guide, bitmask, len(row))
            kept = row[ids]
            row[slice(None) if allows else ids] += -np.inf
            if allows:
                row[ids] = kept
            others[place] = None
    if any(state is not None for state in others):
        mask_batch(others, logits, remaining)


@mistake("mask_rows", hint=2)
def budgets_lose_their_rows(states, logits, remaining=None):
    """You pack the other rows' budgets into a shorter list, but ``mask_batch`` still looks them up by row number."""
    others = list(states)
    for place, state in enumerate(states):
        if state is not None and isinstance(state.guide, ToolGuide):
            bitmask = state.guide.mask(state.current, None if remaining is None else remaining[place])
            row = logits[place]
            ids, allows = listed_ids(state.guide, bitmask, len(row))
            if allows:
                kept = row[ids]
                row[:] = -np.inf
                row[ids] = kept
            else:
                row[ids] = -np.inf
            others[place] = None
    if any(state is not None for state in others):
        rows = [row for row, state in enumerate(others) if state is not None]
        mask_batch(others, logits, remaining and [remaining[row] for row in rows])


@mistake("mask_rows", hint=3)
def logits_of_a_copy(states, logits, remaining=None):
    """You set the logits in a copy of the row, so nothing happens to the row itself."""
    others = list(states)
    for place, state in enumerate(states):
        if state is not None and isinstance(state.guide, ToolGuide):
            bitmask = state.guide.mask(state.current, None if remaining is None else remaining[place])
            row = logits[place].copy()
            ids, allows = listed_ids(state.guide, bitmask, len(row))
            kept = row[ids]
            row[slice(None) if allows else ids] = -np.inf
            if allows:
                row[ids] = kept
            others[place] = None
    if any(state is not None for state in others):
        mask_batch(others, logits, remaining)


@mistake("mask_rows", hint=3)
def the_others_are_forgotten(states, logits, remaining=None):
    """You don't mask the rows of other guides at all."""
    others = list(states)
    for place, state in enumerate(states):
        if state is not None and isinstance(state.guide, ToolGuide):
            bitmask = state.guide.mask(state.current, None if remaining is None else remaining[place])
            row = logits[place]
            ids, allows = listed_ids(state.guide, bitmask, len(row))
            kept = row[ids]
            row[slice(None) if allows else ids] = -np.inf
            if allows:
                row[ids] = kept
            others[place] = None
