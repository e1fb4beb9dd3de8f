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


@mistake("finish_reason", hint=2)
def no_tokens_is_an_error(ids, eos_id):
    """The last token is read without checking that there is one, so an empty answer raises an IndexError."""
    return "stop" if ids[-1] == eos_id else "length"


@mistake("read_number", hint=1)
def a_cut_number_is_zero(text, reason):
    """A cut answer gives 0.0, which cannot be distinguished from a zero that was meant."""
    return float(text) if reason == "stop" else 0.0


@mistake("read_number", hint=3)
def faults_are_swallowed(text, reason):
    """A finished answer that is not a number counts as cut, so a fault of the mask is never seen."""
    try:
        return float(text) if reason == "stop" else None
    except ValueError:
        return None


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


@mistake("predecessors", hint=3)
def one_set_for_all_states(table):
    """A list of one set, times the number of states, holds the same set in every place."""
    before = [set()] * len(table)
    for state, row in enumerate(table):
        for target in row.values():
            before[target].add(state)
    return before


@mistake("predecessors", hint=1)
def transitions_as_they_are(table):
    """The transitions are not reversed, so each state gets the states that it leads to."""
    return [set(row.values()) for row in table]


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
def relaxed_when_it_is_late(row, transitions, distance, remaining):
    """If no token fits the budget, the row is returned unchanged, so the answer may be cut."""
    enough = row.copy()
    for token_id, target in transitions.items():
        enough[token_id] &= distance[target] + 2 <= remaining
    return enough if enough.any() else row.copy()


@mistake("budget_row", hint=3)
def writes_into_the_callers_row(row, transitions, distance, remaining):
    """The caller's row is changed in place, which spoils a row that is kept for each state."""
    for token_id, target in transitions.items():
        row[token_id] &= distance[target] + 2 <= remaining
    return row


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
