"""Wrong answers of lab 05: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("finish_reason", hint=2)
def eos_anywhere_is_a_stop(ids, eos_id):
    """EOS is looked for in the whole answer instead of at its end."""
    return "stop" if eos_id in ids else "length"


@mistake("finish_reason", hint=3)
def eos_is_compared_by_identity(ids, eos_id):
    """The last id is compared with `is`, which fails for two equal ids that are different objects."""
    return "stop" if ids and ids[-1] is eos_id else "length"


@mistake("finish_reason", hint=3)
def id_zero_is_no_token(ids, eos_id):
    """The last id is tested for truth, and the id 0 is false."""
    last = ids[-1] if ids else None
    return "stop" if last and last == eos_id else "length"


@mistake("finish_reason", hint=2)
def no_tokens_is_an_error(ids, eos_id):
    """The last token is read without checking that there is one, so an empty answer raises an IndexError."""
    return "stop" if ids[-1] == eos_id else "length"


@mistake("finish_reason", hint=3)
def only_a_list_ends(ids, eos_id):
    """The end of the answer is compared with a list, which a tuple of the same ids never equals."""
    return "stop" if ids[-1:] == [eos_id] else "length"


@mistake("finish_reason", hint=2)
def takes_the_last_id_away(ids, eos_id):
    """The last id is removed from the caller's list in order to look at it."""
    if not ids:
        return "length"
    last = ids[-1]
    if isinstance(ids, list):
        ids.pop()
    return "stop" if last == eos_id else "length"


@mistake("read_number", hint=1)
def a_cut_number_is_zero(text, reason):
    """A cut answer gives 0.0, which cannot be distinguished from a zero that was meant."""
    return float(text) if reason == "stop" else 0.0


@mistake("read_number", hint=3)
def an_int_where_it_fits(text, reason):
    """A text of digits is returned as an int, although a float was promised."""
    if reason != "stop":
        return None
    return int(text) if text.isdigit() else float(text)


@mistake("read_number", hint=3)
def faults_are_swallowed(text, reason):
    """A finished answer that is not a number counts as cut, so a fault of the mask is never seen."""
    try:
        return float(text) if reason == "stop" else None
    except ValueError:
        return None


@mistake("read_number", hint=2)
def numbers_kept_by_text(text, reason, kept={}):
    """Answers are kept by their text, so the same text with another reason gets the first answer."""
    if text not in kept:
        kept[text] = float(text) if reason == "stop" else None
    return kept[text]


@mistake("read_number", hint=3)
def only_length_is_distrusted(text, reason):
    """Every reason other than length counts as whole, so an aborted answer is read."""
    return None if reason == "length" else float(text)


@mistake("read_number", hint=3)
def stop_anywhere_in_the_reason(text, reason):
    """The reason is searched for the word stop, so `stop_sequence` counts as whole."""
    return float(text) if "stop" in reason else None


@mistake("read_number", hint=2)
def what_parses_is_trusted(text, reason):
    """A text that parses as a number is trusted, whatever the finish reason."""
    try:
        return float(text)
    except ValueError:
        return None


@mistake("read_number", hint=3)
def zero_is_no_number(text, reason):
    """The number is tested for truth, so a finished 0 counts as no answer."""
    return (float(text) or None) if reason == "stop" else None


@mistake("predecessors", hint=3)
def loops_are_left_out(table):
    """A transition from a state to itself is left out, because it leads no nearer to the end."""
    before = [set() for _ in table]
    for state, row in enumerate(table):
        for target in row.values():
            if target != state:
                before[target].add(state)
    return before


@mistake("predecessors", hint=2)
def one_empty_set_for_many_states(table):
    """States that no token leads to share one empty set, so a change of one changes the others."""
    before = defaultdict(set)
    for state, row in enumerate(table):
        for target in row.values():
            before[target].add(state)
    nothing = set()
    return [before.get(state, nothing) for state in range(len(table))]


@mistake("predecessors", hint=3)
def one_set_for_all_states(table):
    """A list of one set, times the number of states, holds the same set in every place."""
    before = [set()] * len(table)
    for state, row in enumerate(table):
        for target in row.values():
            before[target].add(state)
    return before


@mistake("predecessors", hint=3)
def only_what_state_zero_reaches(table):
    """Only states that state 0 reaches are visited, although generation may start in another."""
    before, waiting, seen = [set() for _ in table], [0], {0}
    while waiting:
        state = waiting.pop()
        for target in table[state].values():
            before[target].add(state)
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return before


@mistake("predecessors", hint=3)
def sets_that_grow_with_every_call(table, before={}):
    """The sets are kept between calls, so they still hold the transitions of earlier tables."""
    for state, row in enumerate(table):
        for target in row.values():
            before.setdefault(target, set()).add(state)
    return [set(before.get(state, ())) for state in range(len(table))]


@mistake("predecessors", hint=3)
def state_zero_is_no_target(table):
    """A target is tested for truth, and state 0 is false."""
    before = [set() for _ in table]
    for state, row in enumerate(table):
        for target in row.values():
            if target:
                before[target].add(state)
    return before


@mistake("predecessors", hint=2)
def states_without_transitions_are_left_out(table):
    """A state that no token leads to gets no set, so all later ones move up."""
    before = {}
    for state, row in enumerate(table):
        for target in row.values():
            before.setdefault(target, set()).add(state)
    return [before[target] for target in sorted(before)]


@mistake("predecessors", hint=2)
def tokens_for_states(table):
    """The sets hold the tokens that lead to a state instead of the states that they come from."""
    before = [set() for _ in table]
    for row in table:
        for token_id, target in row.items():
            before[target].add(token_id)
    return [{state for state in states if state < len(table)} for states in before]


@mistake("predecessors", hint=1)
def transitions_as_they_are(table):
    """The transitions are not reversed, so each state gets the states that it leads to."""
    return [set(row.values()) for row in table]


@mistake("tokens_to_accept", hint=3)
def accepting_must_be_a_set(table, accepting):
    """The accepting states are used as a set, although any collection of them may be given."""
    before, distance = predecessors(table), np.full(len(table), np.inf)
    near, steps = accepting | set(), 0
    while near:
        for state in near:
            distance[state] = steps
        near, steps = {e for state in near for e in before[state] if distance[e] == np.inf}, steps + 1
    return distance


@mistake("tokens_to_accept", hint=1)
def an_end_without_tokens_is_a_dead_end(table, accepting):
    """A state without tokens counts as a dead end, even where it accepts."""
    before, distance = predecessors(table), np.full(len(table), np.inf)
    waiting = deque(state for state in accepting if table[state])
    distance[list(waiting)] = 0
    while waiting:
        state = waiting.popleft()
        for earlier in before[state]:
            if distance[earlier] == np.inf:
                distance[earlier] = distance[state] + 1
                waiting.append(earlier)
    return distance


@mistake("tokens_to_accept", hint=3)
def by_recursion(table, accepting):
    """Each state calls the ones before it, so a long automaton is deeper than Python's stack."""
    before = predecessors(table)
    distance = np.full(len(table), np.inf)

    def visit(state, tokens):
        if tokens < distance[state]:
            distance[state] = tokens
            for earlier in before[state]:
                visit(earlier, tokens + 1)

    for state in accepting:
        visit(state, 0)
    return distance


@mistake("tokens_to_accept", hint=2)
def depth_first(table, accepting):
    """The newest state is taken first, so a state may get its number on a detour."""
    before = predecessors(table)
    distance = np.full(len(table), np.inf)
    distance[list(accepting)] = 0
    waiting = list(accepting)
    while waiting:
        state = waiting.pop()
        for earlier in before[state]:
            if distance[earlier] == np.inf:
                distance[earlier] = distance[state] + 1
                waiting.append(earlier)
    return distance


@mistake("tokens_to_accept", hint=1)
def distances_kept_by_size(table, accepting, kept={}):
    """Distances are kept by the number of states and the accepting ones, so another table of that size gets them."""
    key = (len(table), frozenset(accepting))
    if key not in kept:
        before, distance = predecessors(table), np.full(len(table), np.inf)
        distance[list(accepting)] = 0
        waiting = deque(accepting)
        while waiting:
            state = waiting.popleft()
            for earlier in before[state]:
                if distance[earlier] == np.inf:
                    distance[earlier] = distance[state] + 1
                    waiting.append(earlier)
        kept[key] = distance
    return kept[key].copy()


@mistake("tokens_to_accept", hint=1)
def eos_is_counted_twice(table, accepting):
    """The distances include EOS, which the budget mask counts again."""
    before = predecessors(table)
    distance = np.full(len(table), np.inf)
    distance[list(accepting)] = 1
    waiting = deque(accepting)
    while waiting:
        state = waiting.popleft()
        for earlier in before[state]:
            if distance[earlier] == np.inf:
                distance[earlier] = distance[state] + 1
                waiting.append(earlier)
    return distance


@mistake("tokens_to_accept", hint=3)
def from_one_accepting_state(table, accepting):
    """The search starts at one accepting state only, although a match may end in another."""
    before = predecessors(table)
    distance = np.full(len(table), np.inf)
    waiting = deque(sorted(accepting)[-1:])
    distance[list(waiting)] = 0
    while waiting:
        state = waiting.popleft()
        for earlier in before[state]:
            if distance[earlier] == np.inf:
                distance[earlier] = distance[state] + 1
                waiting.append(earlier)
    return distance


@mistake("tokens_to_accept", hint=2)
def never_is_minus_one(table, accepting):
    """Minus one means never, so every comparison takes such a state for the nearest."""
    before = predecessors(table)
    distance = np.full(len(table), -1.0)
    distance[list(accepting)] = 0
    waiting = deque(accepting)
    while waiting:
        state = waiting.popleft()
        for earlier in before[state]:
            if distance[earlier] == -1:
                distance[earlier] = distance[state] + 1
                waiting.append(earlier)
    return distance


@mistake("tokens_to_accept", hint=2)
def never_is_the_number_of_states(table, accepting):
    """A state that cannot reach the end gets a large number instead of infinity, so a large budget allows it."""
    before = predecessors(table)
    distance = np.full(len(table), float(len(table)))
    distance[list(accepting)] = 0
    waiting = deque(accepting)
    while waiting:
        state = waiting.popleft()
        for earlier in before[state]:
            if distance[earlier] == len(table):
                distance[earlier] = distance[state] + 1
                waiting.append(earlier)
    return distance


@mistake("tokens_to_accept", hint=2)
def the_last_meeting_counts(table, accepting):
    """A state gets a new number each time that it is met, even an accepting one that has 0."""
    before = predecessors(table)
    distance = np.full(len(table), np.inf)
    distance[list(accepting)] = 0
    waiting = deque(accepting)
    while waiting:
        state = waiting.popleft()
        for earlier in before[state]:
            if distance[earlier] == np.inf:
                waiting.append(earlier)
            distance[earlier] = distance[state] + 1
    return distance


@mistake("tokens_to_accept", hint=2)
def two_sweeps_are_enough(table, accepting):
    """The table is swept twice from its end, which is enough only where paths run from low numbers to high ones."""
    distance = np.full(len(table), np.inf)
    distance[list(accepting)] = 0
    for _ in range(2):
        for state in reversed(range(len(table))):
            for target in table[state].values():
                distance[state] = min(distance[state], distance[target] + 1)
    return distance


@mistake("tokens_to_accept", hint=3)
def uses_up_the_accepting_states(table, accepting):
    """The caller's collection is the queue, and it is empty after the search."""
    before, distance = predecessors(table), np.full(len(table), np.inf)
    distance[list(accepting)] = 0
    waiting = deque(accepting)
    if isinstance(accepting, (set, list)):
        accepting.clear()
    while waiting:
        state = waiting.popleft()
        for earlier in before[state]:
            if distance[earlier] == np.inf:
                distance[earlier] = distance[state] + 1
                waiting.append(earlier)
    return distance


@mistake("budget_row", hint=3)
def budget_row_drops_eos(row, transitions, distance, remaining):
    """The new mask is built from the transitions alone, and EOS has none."""
    enough = np.zeros_like(row)
    for token_id, target in transitions.items():
        enough[token_id] = row[token_id] and distance[target] + 2 <= remaining
    return enough


@mistake("budget_row", hint=3)
def distances_are_made_ints(row, transitions, distance, remaining):
    """The distance is made an int, and infinity has none."""
    enough = row.copy()
    for token_id, target in transitions.items():
        enough[token_id] &= int(distance[target]) + 2 <= remaining
    return enough


@mistake("budget_row", hint=3)
def eos_is_the_last_id(row, transitions, distance, remaining):
    """The mask is built from the transitions, and EOS is taken to be the last id."""
    enough = np.zeros(len(row), dtype=np.bool_)
    enough[-1] = row[-1]
    for token_id, target in transitions.items():
        enough[token_id] = row[token_id] and distance[target] + 2 <= remaining
    return enough


@mistake("budget_row", hint=2)
def eos_needs_no_room(row, transitions, distance, remaining):
    """The token for EOS is not counted, so the match is whole but EOS does not fit."""
    enough = row.copy()
    for token_id, target in transitions.items():
        enough[token_id] &= distance[target] + 1 <= remaining
    return enough


@mistake("budget_row", hint=2)
def forbidden_tokens_come_back(row, transitions, distance, remaining):
    """Every token that can finish is allowed, even if the given row forbids it."""
    enough = row.copy()
    for token_id, target in transitions.items():
        enough[token_id] = distance[target] + 2 <= remaining
    return enough


@mistake("budget_row", hint=2)
def one_token_to_spare(row, transitions, distance, remaining):
    """A budget that is exactly used up counts as too small, so tokens are forbidden that could still finish."""
    enough = row.copy()
    for token_id, target in transitions.items():
        enough[token_id] &= distance[target] + 2 < remaining
    return enough


@mistake("budget_row", hint=2)
def only_the_shortest_path(row, transitions, distance, remaining):
    """As soon as one token does not fit, all tokens off a shortest path are forbidden."""
    enough = row.copy()
    nearest = min((distance[target] for target in transitions.values()), default=0)
    if all(distance[target] + 2 <= remaining for target in transitions.values()):
        return enough
    for token_id, target in transitions.items():
        enough[token_id] &= distance[target] == nearest and nearest + 2 <= remaining
    return enough


@mistake("budget_row", hint=2)
def relaxed_when_it_is_late(row, transitions, distance, remaining):
    """If no token fits the budget, the row is returned unchanged, so the answer may be cut."""
    enough = row.copy()
    for token_id, target in transitions.items():
        enough[token_id] &= distance[target] + 2 <= remaining
    return enough if enough.any() else row.copy()


@mistake("budget_row", hint=1)
def rows_kept_by_budget(row, transitions, distance, remaining, kept={}):
    """Rows are kept by the mask and the budget, so other transitions or distances get the first ones' row."""
    key = (row.tobytes(), int(remaining))
    if key not in kept:
        kept[key] = row.copy()
        for token_id, target in transitions.items():
            kept[key][token_id] &= distance[target] + 2 <= remaining
    return kept[key].copy()


@mistake("budget_row", hint=3)
def the_row_itself_where_all_fits(row, transitions, distance, remaining):
    """Where every token fits, the caller's row is returned instead of a new one."""
    if all(distance[target] + 2 <= remaining for target in transitions.values()):
        return row
    enough = row.copy()
    for token_id, target in transitions.items():
        enough[token_id] &= distance[target] + 2 <= remaining
    return enough


@mistake("budget_row", hint=2)
def this_token_is_free(row, transitions, distance, remaining):
    """Only the tokens after this one are counted, neither this token nor EOS."""
    enough = row.copy()
    for token_id, target in transitions.items():
        enough[token_id] &= distance[target] <= remaining
    return enough


@mistake("budget_row", hint=3)
def transitions_in_the_order_of_ids(row, transitions, distance, remaining):
    """The allowed ids and the transitions are taken in pairs, although a row of the table has any order."""
    enough = row.copy()
    for token_id, target in zip(sorted(transitions), transitions.values(), strict=False):
        enough[token_id] &= distance[target] + 2 <= remaining
    return enough


@mistake("budget_row", hint=3)
def writes_into_the_callers_row(row, transitions, distance, remaining):
    """The caller's row is changed in place, which spoils a row that is kept for each state."""
    for token_id, target in transitions.items():
        row[token_id] &= distance[target] + 2 <= remaining
    return row


@mistake("generate_within", hint=2)
def asks_the_model_and_then_refuses(model, fsm, table, vocabulary, max_tokens, us=None):
    """The model is called before the budget is checked, so a refusal costs a forward pass."""
    logits = model([])
    distance = tokens_to_accept(table, fsm.accepting)
    if distance[fsm.initial] + 1 > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]) + 1)
    ids, state = [], fsm.initial
    while not ids or ids[-1] != vocabulary.eos_id:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens - len(ids))
        ids.append(choose(mask_logits(model(ids) if ids else logits, row), None if us is None else us[len(ids)]))
        state = table[state].get(ids[-1], state)
    return ids


@mistake("generate_within", hint=2)
def distances_of_the_first_table(model, fsm, table, vocabulary, max_tokens, us=None, kept={}):
    """The distances are computed once for all tables with the same number of states."""
    distance = kept.setdefault(len(table), tokens_to_accept(table, fsm.accepting))
    if distance[fsm.initial] + 1 > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]) + 1)
    ids, state = [], fsm.initial
    while not ids or ids[-1] != vocabulary.eos_id:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens - len(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[len(ids)]))
        state = table[state].get(ids[-1], state)
    return ids


@mistake("generate_within", hint=1)
def ends_at_the_first_accepting_state(model, fsm, table, vocabulary, max_tokens, us=None):
    """EOS is added as soon as the automaton accepts, without asking the model."""
    distance = tokens_to_accept(table, fsm.accepting)
    if distance[fsm.initial] + 1 > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]) + 1)
    ids, state = [], fsm.initial
    while state not in fsm.accepting:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens - len(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[len(ids)]))
        state = table[state].get(ids[-1], state)
    return [*ids, vocabulary.eos_id]


@mistake("generate_within", hint=1)
def forced_tokens_without_the_model(model, fsm, table, vocabulary, max_tokens, us=None):
    """Where one token alone is legal it is emitted without a call of the model."""
    distance = tokens_to_accept(table, fsm.accepting)
    if distance[fsm.initial] + 1 > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]) + 1)
    ids, state = [], fsm.initial
    while not ids or ids[-1] != vocabulary.eos_id:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens - len(ids))
        if row.sum() == 1:
            ids.append(int(row.argmax()))
        else:
            ids.append(choose(mask_logits(model(ids), row), None if us is None else us[len(ids)]))
        state = table[state].get(ids[-1], state)
    return ids


@mistake("generate_within", hint=2)
def hopeless_budgets_are_tried(model, fsm, table, vocabulary, max_tokens, us=None):
    """Nothing checks in advance whether the budget can suffice, so the mask becomes empty."""
    distance = tokens_to_accept(table, fsm.accepting)
    ids, state = [], fsm.initial
    while not ids or ids[-1] != vocabulary.eos_id:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens - len(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[len(ids)]))
        state = table[state].get(ids[-1], state)
    return ids


@mistake("generate_within", hint=3)
def ids_of_the_last_call(model, fsm, table, vocabulary, max_tokens, us=None, ids=[]):
    """The list of ids is a default argument, which is made once, so a second call returns the ids of the first."""
    distance, state = tokens_to_accept(table, fsm.accepting), fsm.initial
    if distance[fsm.initial] + 1 > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]) + 1)
    while not ids or ids[-1] != vocabulary.eos_id:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens - len(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[len(ids)]))
        state = table[state].get(ids[-1], state)
    return ids


@mistake("generate_within", hint=3)
def numbers_tested_for_truth(model, fsm, table, vocabulary, max_tokens, us=None):
    """The numbers u are tested for truth, which an array of them does not have."""
    distance = tokens_to_accept(table, fsm.accepting)
    if distance[fsm.initial] + 1 > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]) + 1)
    ids, state = [], fsm.initial
    while not ids or ids[-1] != vocabulary.eos_id:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens - len(ids))
        ids.append(choose(mask_logits(model(ids), row), us[len(ids)] if us else None))
        state = table[state].get(ids[-1], state)
    return ids


@mistake("generate_within", hint=3)
def one_number_for_all_steps(model, fsm, table, vocabulary, max_tokens, us=None):
    """The first number u is used at every step."""
    distance = tokens_to_accept(table, fsm.accepting)
    if distance[fsm.initial] + 1 > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]) + 1)
    ids, state = [], fsm.initial
    while not ids or ids[-1] != vocabulary.eos_id:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens - len(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[0]))
        state = table[state].get(ids[-1], state)
    return ids


@mistake("generate_within", hint=3)
def starts_in_state_zero(model, fsm, table, vocabulary, max_tokens, us=None):
    """Generation starts in state 0, although the initial state may be another."""
    distance = tokens_to_accept(table, fsm.accepting)
    if distance[0] + 1 > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[0]) + 1)
    ids, state = [], 0
    while not ids or ids[-1] != vocabulary.eos_id:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens - len(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[len(ids)]))
        state = table[state].get(ids[-1], state)
    return ids


@mistake("generate_within", hint=3)
def the_budget_never_shrinks(model, fsm, table, vocabulary, max_tokens, us=None):
    """Every step is masked as if the whole budget were still available."""
    distance = tokens_to_accept(table, fsm.accepting)
    if distance[fsm.initial] + 1 > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]) + 1)
    ids, state = [], fsm.initial
    while not ids or ids[-1] != vocabulary.eos_id:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens)
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[len(ids)]))
        state = table[state].get(ids[-1], state)
    return ids


@mistake("generate_within", hint=1)
def the_last_token_is_added_unasked(model, fsm, table, vocabulary, max_tokens, us=None):
    """The last token of the budget is EOS anyway, so it is added without a call of the model."""
    distance = tokens_to_accept(table, fsm.accepting)
    if distance[fsm.initial] + 1 > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]) + 1)
    ids, state = [], fsm.initial
    while len(ids) < max_tokens - 1:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens - len(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[len(ids)]))
        if ids[-1] == vocabulary.eos_id:
            return ids
        state = table[state][ids[-1]]
    return [*ids, vocabulary.eos_id]


@mistake("generate_within", hint=2)
def the_refusal_forgets_eos(model, fsm, table, vocabulary, max_tokens, us=None):
    """The budget is compared with the tokens of the shortest match, without EOS."""
    distance = tokens_to_accept(table, fsm.accepting)
    if distance[fsm.initial] > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]))
    ids, state = [], fsm.initial
    while not ids or ids[-1] != vocabulary.eos_id:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens - len(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[len(ids)]))
        state = table[state].get(ids[-1], state)
    return ids


@mistake("generate_within", hint=3)
def this_token_is_taken_off_early(model, fsm, table, vocabulary, max_tokens, us=None):
    """The next token is subtracted from the budget, although the mask counts it itself."""
    distance = tokens_to_accept(table, fsm.accepting)
    if distance[fsm.initial] + 1 > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]) + 1)
    ids, state = [], fsm.initial
    while not ids or ids[-1] != vocabulary.eos_id:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens - len(ids) - 1)
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[len(ids)]))
        state = table[state].get(ids[-1], state)
    return ids


@mistake("generate_within", hint=3)
def uses_up_the_numbers(model, fsm, table, vocabulary, max_tokens, us=None):
    """Each step removes its number u from the caller's list."""
    distance = tokens_to_accept(table, fsm.accepting)
    if distance[fsm.initial] + 1 > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]) + 1)
    ids, state = [], fsm.initial
    while not ids or ids[-1] != vocabulary.eos_id:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens - len(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us.pop(0)))
        state = table[state].get(ids[-1], state)
    return ids
