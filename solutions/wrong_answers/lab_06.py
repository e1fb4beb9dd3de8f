"""Wrong answers of lab 06: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("epsilon_closure", hint=1)
def closure_of_one_step(nfa, state):
    """You follow a single epsilon transition, but the state that it leads to may have some of its own."""
    return frozenset({state, *nfa.epsilon[state]})


@mistake("unfold", hint=2)
def a_move_for_each_range(node, after, state):
    """You make a move for each range of a class, but the class is one move, with all its ranges."""
    match node:
        case Chars(ranges):
            return [(((first, last),), after) for first, last in ranges], []
        case Concat(parts):
            for part in reversed(parts):
                after = state(part, after)
            return [], [after]
        case Alternation(options):
            return [], [state(option, after) for option in options]
        case Repeat():
            return [], unfold_repeat(node, after, state)
    raise TypeError(node)


@mistake("unfold", hint=3)
def a_concat_of_the_other_parts(node, after, state):
    """You ask for a Concat of the parts that are left. Ask for each part's own state instead, the last part's first."""
    match node:
        case Chars(ranges):
            return [(ranges, after)], []
        case Concat(parts):
            return [], [state(parts[0], state(Concat(parts[1:]), after)) if parts else after]
        case Alternation(options):
            return [], [state(option, after) for option in options]
        case Repeat():
            return [], unfold_repeat(node, after, state)
    raise TypeError(node)


@mistake("unfold", hint=2)
def empty_concat_is_a_dead_end(node, after, state):
    """You get nowhere from a sequence without parts, but it's done already: it leads straight to what comes after."""
    match node:
        case Chars(ranges):
            return [(ranges, after)], []
        case Concat(parts):
            if not parts:
                return [], []
            for part in reversed(parts):
                after = state(part, after)
            return [], [after]
        case Alternation(options):
            return [], [state(option, after) for option in options]
        case Repeat():
            return [], unfold_repeat(node, after, state)
    raise TypeError(node)


@mistake("unfold", hint=3)
def only_the_states_of_a_repetition(node, after, state):
    """You return the list alone. `unfold` returns a pair, and a repetition has no moves: put `[]` before the list."""
    match node:
        case Chars(ranges):
            return [(ranges, after)], []
        case Concat(parts):
            for part in reversed(parts):
                after = state(part, after)
            return [], [after]
        case Alternation(options):
            return [], [state(option, after) for option in options]
        case Repeat():
            return unfold_repeat(node, after, state)
    raise TypeError(node)


@mistake("unfold", hint=2)
def parts_from_the_left(node, after, state):
    """You go through the parts from the left, so the last part leads to the first, and your ab matches ba."""
    match node:
        case Chars(ranges):
            return [(ranges, after)], []
        case Concat(parts):
            for part in parts:
                after = state(part, after)
            return [], [after]
        case Alternation(options):
            return [], [state(option, after) for option in options]
        case Repeat():
            return [], unfold_repeat(node, after, state)
    raise TypeError(node)


@mistake("unfold_repeat", hint=2)
def the_other_rounds_are_forgotten(repeat, after, state):
    """You read one round and go straight on to `after`, but rounds may be left: what's left of a{2,5} is a{1,4}."""
    if repeat.most == 0:
        return [after]
    return [state(repeat.body, after)] if repeat.least else [state(repeat.body, after), after]


@mistake("unfold_repeat", hint=3)
def without_a_limit_least_stays(repeat, after, state):
    """You leave a repetition without a limit as it is, so what's left of your a+ is a+ again, and nobody gets out."""
    body, least, most = repeat.body, repeat.least, repeat.most
    if most == 0:
        return [after]
    fewer = repeat if most is None else Repeat(body, max(least - 1, 0), most - 1)
    again = state(body, after if most == 1 else state(fewer, after))
    return [again] if least else [again, after]


@mistake("unfold_repeat", hint=3)
def none_counts_as_zero(repeat, after, state):
    """You take `None` for 0: `not most` is true for both, so your a* reads nothing. Ask for `most == 0`."""
    body, least, most = repeat.body, repeat.least, repeat.most
    if not most:
        return [after]
    again = state(body, after if most == 1 else state(Repeat(body, max(least - 1, 0), most - 1), after))
    return [again] if least else [again, after]


@mistake("unfold_repeat", hint=2)
def body_and_rest_in_a_concat(repeat, after, state):
    """You ask for one state of a Concat. Ask for two: one for what's left, and one for the body before it."""
    body, least, most = repeat.body, repeat.least, repeat.most
    if most == 0:
        return [after]
    fewer = Repeat(body, max(least - 1, 0), None if most is None else most - 1)
    again = state(body, after) if most == 1 else state(Concat((body, fewer)), after)
    return [again] if least else [again, after]


@mistake("unfold_repeat", hint=2)
def mandatory_rounds_may_be_skipped(repeat, after, state):
    """You may always leave your repetition, even when more rounds are required, so a{2} matches the empty text."""
    body, least, most = repeat.body, repeat.least, repeat.most
    if most == 0:
        return [after]
    fewer = Repeat(body, max(least - 1, 0), None if most is None else most - 1)
    return [state(body, state(fewer, after)), after]


@mistake("unfold_repeat", hint=3)
def a_state_for_no_rounds(repeat, after, state):
    """You make a state for `a{0}` after the last round. Nothing is left to repeat there, so continue in `after`."""
    body, least, most = repeat.body, repeat.least, repeat.most
    if most == 0:
        return [after]
    fewer = Repeat(body, max(least - 1, 0), None if most is None else most - 1)
    again = state(body, state(fewer, after))
    return [again] if least else [again, after]


@mistake("unfold_repeat", hint=2)
def most_counts_optional_rounds(repeat, after, state):
    """You don't count a required round against the most, so your a{2,3} takes two and then up to three more."""
    body, least, most = repeat.body, repeat.least, repeat.most
    if most == 0:
        return [after]
    if least:
        return [state(body, state(Repeat(body, least - 1, most), after))]
    return [state(body, state(Repeat(body, 0, None if most is None else most - 1), after)), after]


@mistake("unfold_repeat", hint=2)
def rounds_are_copied(repeat, after, state):
    """You chain up all the required rounds at once, so a{60000} makes sixty thousand states before you read a text."""
    body, least, most = repeat.body, repeat.least, repeat.most
    if least:
        after = state(Repeat(body, 0, None if most is None else most - least), after)
        for _ in range(least):
            after = state(body, after)
        return [after]
    if most == 0:
        return [after]
    return [state(body, state(Repeat(body, 0, None if most is None else most - 1), after)), after]


@mistake("step_subset", hint=1)
def a_part_for_each_class(subset, moves):
    """You make a part for each class. Classes that lead to the same states belong together in one part."""
    found = defaultdict(set)
    for state in subset:
        for classes, target in moves[state]:
            for place in range(classes.bit_length()):
                if classes >> place & 1:
                    found[place].add(target)
    return [(1 << place, frozenset(targets)) for place, targets in found.items()]


@mistake("step_subset", hint=2)
def moves_side_by_side(subset, moves):
    """You make a part for each move, so a class that two moves read is in two of your parts."""
    together = defaultdict(set)
    for state in subset:
        for classes, target in moves[state]:
            together[classes].add(target)
    return [(classes, frozenset(targets)) for classes, targets in together.items()]


@mistake("step_subset", hint=2)
def the_last_transition_wins(subset, moves):
    """When several transitions read one class, you keep only the last. Add each target to the set."""
    together = defaultdict(set)
    for state in subset:
        for classes, target in moves[state]:
            together[classes] = {target}
    parts, taken = [], 0
    for classes, targets in together.items():
        divided = []
        for part, reached in parts:
            divided += [(part & classes, reached | targets), (part & ~classes, reached)]
        parts = [piece for piece in divided if piece[0]]
        if classes & ~taken:
            parts.append((classes & ~taken, frozenset(targets)))
        taken |= classes
    return parts


@mistake("nfa_to_dfa", hint=2)
def nothing_checks_the_limit(nfa):
    """You make rows until there are no more, however many that may be."""
    states = subsets_of(nfa, epsilon_closure, step_subset) if isinstance(nfa, Nfa) else nfa
    rows = []
    while len(rows) < len(states):
        rows.append(states.row(len(rows)))
    return Dfa(states.bounds, states.classes, rows, 0, list(map(states.accepts, range(len(rows)))))


@mistake("nfa_to_dfa", hint=2)
def rows_are_counted_too_early(nfa):
    """You fix the number of rows before the first one is made, but each row may number new sets. Ask after each row."""
    states = subsets_of(nfa, epsilon_closure, step_subset) if isinstance(nfa, Nfa) else nfa
    rows = []
    for n in range(len(states)):
        rows.append(states.row(n))
        check_table(len(states), states.n_classes)
    return Dfa(states.bounds, states.classes, rows, 0, list(map(states.accepts, range(len(states)))))


@mistake("nfa_to_dfa", hint=2)
def the_nfas_number_accepts(nfa):
    """You accept in the state that has the number of the NFA's accepting one, but each of yours is a whole set."""
    states = subsets_of(nfa, epsilon_closure, step_subset) if isinstance(nfa, Nfa) else nfa
    accepting = nfa.accepting
    rows = []
    while len(rows) < len(states):
        rows.append(states.row(len(rows)))
        check_table(len(states), states.n_classes)
    return Dfa(states.bounds, states.classes, rows, 0, [state == accepting for state in range(len(rows))])


@mistake("equal_states", hint=1)
def class_ignored_when_splitting(dfa, states):
    """You call two states equal if they lead to the same blocks, no matter on which classes."""
    block_of = {state: int(dfa.accepting[state]) for state in states} | {DEAD: DEAD}
    while True:
        signs = {}
        for state in states:
            targets = frozenset(block_of.get(target, DEAD) for target in dfa.transitions[state].tolist())
            signs[state] = (block_of[state], targets)
        numbers = {sign: number for number, sign in enumerate(dict.fromkeys(signs.values()))}
        if len(numbers) == len(set(block_of.values()) - {DEAD}):
            break
        block_of = {state: numbers[sign] for state, sign in signs.items()} | {DEAD: DEAD}
    blocks = defaultdict(set)
    for state in states:
        blocks[block_of[state]].add(state)
    return list(blocks.values())


@mistake("equal_states", hint=1)
def one_round_of_splits(dfa, states):
    """You cut the blocks once, by accepting or not. Each cut can make others necessary, so keep going."""
    blocks = defaultdict(set)
    kind = {state: bool(dfa.accepting[state]) for state in states}
    for state in states:
        targets = tuple(kind.get(target) for target in dfa.transitions[state].tolist())
        blocks[kind[state], targets].add(state)
    return list(blocks.values())


@mistake("minimize_dfa", hint=1)
def dead_states_are_kept(dfa):
    """You keep states that lead nowhere. No match goes through them, so they should go."""
    after = defaultdict(set)
    for state, _, target in transitions_of(dfa):
        after[state].add(target)
    blocks = sorted(equal_states(dfa, _reachable([dfa.initial], after)), key=min)
    number = np.full(len(dfa) + 1, DEAD)
    for new, block in enumerate(blocks):
        number[list(block)] = new
    first = [min(block) for block in blocks]
    parts = number[dfa.transitions[first]], number[dfa.initial], dfa.accepting[first]
    return merge_columns(Dfa(dfa.bounds, dfa.classes, *parts, dfa.symbols))


@mistake("minimize_dfa", hint=3)
def dead_is_the_last_entry(dfa):
    """You look up `DEAD` in `number`, but -1 is an index too: it finds the last entry. Make `number` one longer."""
    live = live_states(dfa)
    if not live:
        return Dfa([0], [DEAD], [[]], initial=0, accepting=[False], symbols=dfa.symbols)
    blocks = sorted(equal_states(dfa, live), key=min)
    number = np.full(len(dfa), DEAD)
    for new, block in enumerate(blocks):
        number[list(block)] = new
    first = [min(block) for block in blocks]
    parts = number[dfa.transitions[first]], number[dfa.initial], dfa.accepting[first]
    return merge_columns(Dfa(dfa.bounds, dfa.classes, *parts, dfa.symbols))


@mistake("minimize_dfa", hint=3)
def initial_state_always_zero(dfa):
    """You start the new automaton in state 0, whatever number the old initial state has now."""
    live = live_states(dfa)
    if not live:
        return Dfa([0], [DEAD], [[]], initial=0, accepting=[False], symbols=dfa.symbols)
    blocks = sorted(equal_states(dfa, live), key=min)
    number = np.full(len(dfa) + 1, DEAD)
    for new, block in enumerate(blocks):
        number[list(block)] = new
    first = [min(block) for block in blocks]
    transitions = number[dfa.transitions[first]]
    return merge_columns(Dfa(dfa.bounds, dfa.classes, transitions, 0, dfa.accepting[first], dfa.symbols))


@mistake("minimize_dfa", hint=3)
def a_table_without_states(dfa):
    """You build a table even when no state is live. Return an automaton of one state, which accepts nothing."""
    live = live_states(dfa)
    blocks = sorted(equal_states(dfa, live), key=min)
    number = np.full(len(dfa) + 1, DEAD)
    for new, block in enumerate(blocks):
        number[list(block)] = new
    first = [min(block) for block in blocks]
    small = Dfa(dfa.bounds, dfa.classes, number[dfa.transitions[first]], number[dfa.initial], dfa.accepting[first])
    return merge_columns(small)
