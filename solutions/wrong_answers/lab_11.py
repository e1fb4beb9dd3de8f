"""Wrong answers of lab 11: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("build_trie", hint=3)
def an_empty_trigger_ends_at_the_root(texts):
    """An empty trigger is taken, and ends at the root."""
    children, ends = [{}], [None]
    for text in texts:
        node = 0
        for char in text:
            if char not in children[node]:
                children[node][char] = len(children)
                children.append({})
                ends.append(None)
            node = children[node][char]
        ends[node] = text
    return children, ends


@mistake("build_trie", hint=2)
def only_leaves_end_a_text(texts):
    """A text that is a prefix of another one ends nowhere."""
    children, ends = [{}], [None]
    for text in texts:
        if not text:
            raise ValueError("a trigger needs at least one character")
        node = 0
        for char in text:
            if char not in children[node]:
                children[node][char] = len(children)
                children.append({})
                ends.append(None)
            node = children[node][char]
        ends[node] = text
    return children, [None if below else text for below, text in zip(children, ends, strict=True)]


@mistake("failure_links", hint=1)
def failures_are_the_root(children, ends):
    """Every failure is the root, as if no text could begin inside another one."""
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
    """A trigger inside the path of a longer one is not noticed."""
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
    """If the parent's failure has no child by the character, the root is taken, without asking its failure in turn."""
    failure, found = [0] * len(children), list(ends)
    waiting = deque(children[0].values())
    while waiting:
        node = waiting.popleft()
        found[node] = ends[node] or found[failure[node]]
        for char, child in children[node].items():
            failure[child] = children[failure[node]].get(char, 0) if node else 0
            waiting.append(child)
    return failure, found


@mistake("step", hint=1)
def back_to_the_root(triggers, node, char):
    """Where no child fits, the search begins again at the root."""
    return triggers.children[node].get(char, 0)


@mistake("link_triggers", hint=3)
def closed_is_ignored(triggers, root, entries, closed=False):
    """Calls may follow the first one although they are not parallel."""
    states = []
    for node, trigger in enumerate(triggers.found):
        if trigger is None:
            states.append(root + node)
        else:
            states.append(entries[trigger])
    return states


@mistake("link_triggers", hint=2)
def entries_count_from_the_root(triggers, root, entries, closed=False):
    """The states of the calls are counted from the free text's root."""
    states = []
    for node, trigger in enumerate(triggers.found):
        if trigger is None:
            states.append(root + node)
        else:
            states.append(-1 if closed else root + entries[trigger])
    return states


@mistake("join", hint=3)
def a_call_may_end_the_answer(bodies, *, required=False, parallel=True):
    """Every state accepts, also one inside a call."""
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
        blocks.append(np.where(rows == DEAD, DEAD, np.where(automaton.accepting[rows], roots[-1], rows + start)))
    accepting = np.arange(starts[-1]) >= 0
    accepting[: len(free)] = not required
    dfa = Dfa(alphabet.bounds, alphabet.classes, np.concatenate(blocks), 0, accepting)
    return Joined(dfa, triggers.depths * len(roots))


@mistake("join", hint=2)
def back_to_the_first_free_text(bodies, *, required=False, parallel=True):
    """A call leads back to the free text before a call."""
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
        blocks.append(np.where(rows == DEAD, DEAD, np.where(automaton.accepting[rows], 0, rows + start)))
    accepting = np.arange(starts[-1]) < starts[0]
    accepting[: len(free)] = not required
    dfa = Dfa(alphabet.bounds, alphabet.classes, np.concatenate(blocks), 0, accepting)
    return Joined(dfa, triggers.depths * len(roots))


@mistake("join", hint=2)
def calls_stay_inside(bodies, *, required=False, parallel=True):
    """The end of a call is a state of its body, from which nothing follows."""
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
    """A dead transition of a body becomes a state: -1 is shifted, or looked up as accepting[-1]."""
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


@mistake("join", hint=3)
def required_is_ignored(bodies, *, required=False, parallel=True):
    """The answer may end before a call that is required."""
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
        blocks.append(np.where(rows == DEAD, DEAD, np.where(automaton.accepting[rows], roots[-1], rows + start)))
    accepting = np.arange(starts[-1]) < starts[0]
    dfa = Dfa(alphabet.bounds, alphabet.classes, np.concatenate(blocks), 0, accepting)
    return Joined(dfa, triggers.depths * len(roots))


@mistake("merge_openings", hint=1)
def all_openings_stay(openings):
    """An opening that begins with another one stays beside it."""
    return dict(openings)


@mistake("merge_openings", hint=2)
def openings_without_a_body_are_dropped(openings):
    """An opening that may open no call is left out, so that its text is free."""
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
    """The longer opening's body begins without the rest of its text."""
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
    """The automaton is asked for a step from -1, which is the row of its last state."""
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
    """What was held back of the last piece is dropped."""
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
    """With nothing to hold back, the slice from minus zero holds back all."""
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
    """Free text is told at once, and half a trigger with it."""
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


@mistake("argument_spans", hint=3)
def a_stray_brace_closes(text, depth):
    """A closing brace that closes nothing is counted, so the objects after it are looked for one level too deep."""
    spans, open_braces, in_string, escaped = [], 0, False, False
    for place, char in enumerate(text):
        if in_string:
            in_string = char != '"' or escaped
            escaped = char == "\\" and not escaped
        elif char == '"' and open_braces:
            in_string = True
        elif char == "{":
            open_braces += 1
            if open_braces == depth:
                spans.append((place, len(text)))
        elif char == "}":
            if open_braces == depth:
                spans[-1] = (spans[-1][0], place + 1)
            open_braces -= 1
    return spans


@mistake("argument_spans", hint=2)
def braces_in_strings_count(text, depth):
    """Strings are not noticed, so braces in them count."""
    spans, open_braces, in_string, escaped = [], 0, False, False
    for place, char in enumerate(text):
        if in_string:
            in_string = char != '"' or escaped
            escaped = char == "\\" and not escaped
        elif char == '"' and open_braces:
            pass
        elif char == "{":
            open_braces += 1
            if open_braces == depth:
                spans.append((place, len(text)))
        elif char == "}":
            if open_braces == depth:
                spans[-1] = (spans[-1][0], place + 1)
            open_braces -= 1
    return spans


@mistake("argument_spans", hint=3)
def every_quote_ends_a_string(text, depth):
    """A backslash escapes nothing."""
    spans, open_braces, in_string, escaped = [], 0, False, False
    for place, char in enumerate(text):
        if in_string:
            in_string = char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"' and open_braces:
            in_string = True
        elif char == "{":
            open_braces += 1
            if open_braces == depth:
                spans.append((place, len(text)))
        elif char == "}":
            if open_braces == depth:
                spans[-1] = (spans[-1][0], place + 1)
            open_braces -= 1
    return spans


@mistake("argument_spans", hint=1)
def only_whole_arguments(text, depth):
    """An object that is not complete is left out."""
    spans, open_braces, in_string, escaped = [], 0, False, False
    for place, char in enumerate(text):
        if in_string:
            in_string = char != '"' or escaped
            escaped = char == "\\" and not escaped
        elif char == '"' and open_braces:
            in_string = True
        elif char == "{":
            open_braces += 1
            if open_braces == depth:
                spans.append((place, len(text)))
        elif char == "}":
            if open_braces == depth:
                spans[-1] = (spans[-1][0], place + 1)
            open_braces -= 1
    return spans if not open_braces else [span for span in spans if span[1] < len(text)]


@mistake("mask_rows", hint=3)
def added_and_not_set(states, logits, remaining=None):
    """Minus infinity is added to the logits, which makes NaN of some."""
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
    """The budgets of the other rows are put together, while the rows keep their numbers."""
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
    """The logits are set in a copy of the row."""
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
    """Rows of other guides are not masked at all."""
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


@mistake("tool_set_key", hint=2)
def keys_of_a_schema_are_sorted(row_name, tools, tool_choice="auto", parallel=True, fingerprint=""):
    """Properties in another order share a guide that writes them in the first one's."""
    some, required = chosen_tools(tools, tool_choice)
    names = sorted(tool.name for tool in some)
    schemas = sorted([tool.name, json.dumps(tool.parameters, sort_keys=True)] for tool in tools)
    parts = [row_name, schemas, names, required, parallel, fingerprint]
    return sha256(json.dumps(parts).encode()).hexdigest()


@mistake("tool_set_key", hint=1)
def names_alone(row_name, tools, tool_choice="auto", parallel=True, fingerprint=""):
    """Tools with the same names share a guide, whatever their parameters."""
    some, required = chosen_tools(tools, tool_choice)
    names = sorted(tool.name for tool in some)
    schemas = sorted(tool.name for tool in tools)
    parts = [row_name, schemas, names, required, parallel, fingerprint]
    return sha256(json.dumps(parts).encode()).hexdigest()


@mistake("tool_set_key", hint=1)
def parallel_is_not_in_the_key(row_name, tools, tool_choice="auto", parallel=True, fingerprint=""):
    """Requests with and without parallel calls share a guide."""
    some, required = chosen_tools(tools, tool_choice)
    names = sorted(tool.name for tool in some)
    schemas = sorted([tool.name, json.dumps(tool.parameters)] for tool in tools)
    parts = [row_name, schemas, names, required, fingerprint]
    return sha256(json.dumps(parts).encode()).hexdigest()


@mistake("tool_set_key", hint=2)
def the_order_of_tools_counts(row_name, tools, tool_choice="auto", parallel=True, fingerprint=""):
    """The same tools in another order are compiled again."""
    some, required = chosen_tools(tools, tool_choice)
    names = sorted(tool.name for tool in some)
    schemas = [[tool.name, json.dumps(tool.parameters)] for tool in tools]
    parts = [row_name, schemas, names, required, parallel, fingerprint]
    return sha256(json.dumps(parts).encode()).hexdigest()
