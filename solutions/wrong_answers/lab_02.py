"""Wrong answers of lab 02: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("advance", hint=1)
def ignores_the_given_state(fsm, state, text):
    """You start the walk in the initial state, not in the one you're given."""
    state = fsm.initial
    for char in text:
        if char not in fsm.transitions[state]:
            return None
        state = fsm.transitions[state][char]
    return state


@mistake("advance", hint=2)
def last_live_state(fsm, state, text):
    """You stop at the character that's dead and return the last state that was alive. A dead text has no state."""
    for char in text:
        if char not in fsm.transitions[state]:
            return state
        state = fsm.transitions[state][char]
    return state


@mistake("advance", hint=2)
def only_accepting_states_are_alive(fsm, state, text):
    """You treat a walk as dead unless it ends in an accepting state, so nobody could even begin a number."""
    for char in text:
        if char not in fsm.transitions[state]:
            return None
        state = fsm.transitions[state][char]
    return state if state in fsm.accepting else None


@mistake("advance", hint=3)
def state_zero_is_dead(fsm, state, text):
    """You test the next state for truth, and 0 is false, so a walk that gets back to state 0 dies there."""
    for char in text:
        state = fsm.transitions[state].get(char)
        if not state:
            return None
    return state


@mistake("token_mask", hint=1)
def always_from_the_start(fsm, state, texts):
    """You walk each token from the initial state, as if nothing had been written."""
    return np.array([bool(text) and advance(fsm, fsm.initial, text) is not None for text in texts], dtype=np.bool_)


@mistake("token_mask", hint=1)
def only_the_first_character(fsm, state, texts):
    """You allow a token if its first character is allowed, whatever comes after that."""
    return np.array([bool(text) and text[0] in fsm.transitions[state] for text in texts], dtype=np.bool_)


@mistake("token_mask", hint=2)
def state_zero_is_dead_in_the_mask(fsm, state, texts):
    """You test what advance returns for truth, and 0 is false, so you forbid every token that leads to state 0."""
    return np.array([bool(text and advance(fsm, state, text)) for text in texts], dtype=np.bool_)


@mistake("token_mask", hint=3)
def the_first_id_of_a_text(fsm, state, texts):
    """You look the id up by the token's text, so when two tokens have the same text, you never allow the second."""
    mask = np.zeros(len(texts), dtype=np.bool_)
    for text in texts:
        if text and advance(fsm, state, text) is not None:
            mask[texts.index(text)] = True
    return mask


@mistake("token_mask", hint=1)
def wants_an_accepting_state(fsm, state, texts):
    """You only allow tokens that complete a match, so you could never write one in several steps."""
    return np.array([bool(text) and advance(fsm, state, text) in fsm.accepting for text in texts], dtype=np.bool_)


@mistake("generate", hint=2)
def moves_by_one_character(model, fsm, texts, us):
    """After a token, you only move by its first character, so your state no longer belongs to the text."""
    ids, state = [], fsm.initial
    for u in us:
        allowed = token_mask(fsm, state, texts)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        state = advance(fsm, state, texts[ids[-1]][0])
    return ids


@mistake("generate", hint=3)
def starts_in_state_zero(model, fsm, texts, us):
    """You start in state 0, but an automaton may have another initial state."""
    ids, state = [], 0
    for u in us:
        allowed = token_mask(fsm, state, texts)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        state = advance(fsm, state, texts[ids[-1]])
    return ids


@mistake("generate", hint=2)
def stops_at_the_first_accepting_state(model, fsm, texts, us):
    """You stop as soon as the automaton accepts, although more may follow."""
    ids, state = [], fsm.initial
    for u in us:
        allowed = token_mask(fsm, state, texts)
        if not allowed.any() or state in fsm.accepting:
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        state = advance(fsm, state, texts[ids[-1]])
    return ids


@mistake("parse_atoms", hint=2)
def double_pluses_come_first(pattern):
    """You look for double pluses in the whole pattern first, so you miss a fault to the left of one."""
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded(f"the pattern has {len(pattern):,} characters", MAX_PATTERN)
    atoms, here = [], 0
    if "++" in pattern[1:]:
        raise UnsupportedPattern("'+' after '+'", pattern, pattern.index("++", 1) + 1)
    while char := pattern[here : here + 1]:
        if char == "+":
            raise InvalidPattern("'+' with nothing to repeat", pattern, here)
        if char in UNSUPPORTED:
            raise UnsupportedPattern(UNSUPPORTED[char], pattern, here)
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        atoms.append(Atom(chars, plus, pattern[here : after + plus], here))
        here = after + plus
    return atoms


@mistake("parse_atoms", hint=3)
def lone_closing_bracket_refused(pattern):
    """You refuse a closing bracket outside a class, but there it's a character like any other."""
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded("the pattern is too long", MAX_PATTERN)
    atoms, here = [], 0
    while char := pattern[here : here + 1]:
        if char == "]" or (char == "+" and not atoms):
            raise InvalidPattern(f"{char!r} belongs to nothing", pattern, here)
        if char in UNSUPPORTED or char == "+":
            raise UnsupportedPattern(UNSUPPORTED.get(char, "'+' after '+'"), pattern, here)
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        atoms.append(Atom(chars, plus, pattern[here : after + plus], here))
        here = after + plus
    return atoms


@mistake("parse_atoms", hint=2)
def plus_swallows_plus(pattern):
    """You read several pluses as one. In other engines the second has a meaning of its own, so refuse it."""
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded("the pattern is too long", MAX_PATTERN)
    atoms, here = [], 0
    while here < len(pattern):
        char, start = pattern[here], here
        if char == "+":
            raise InvalidPattern("'+' with nothing to repeat", pattern, here)
        if char in UNSUPPORTED:
            raise UnsupportedPattern(UNSUPPORTED[char], pattern, here)
        chars, here = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        after = here
        while pattern.startswith("+", here):
            here += 1
        atoms.append(Atom(chars, here > after, pattern[start:here], start))
    return atoms


@mistake("parse_atoms", hint=3)
def position_counts_atoms(pattern):
    """You give each atom its number in the sequence, but its position is its place in the pattern."""
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded("the pattern is too long", MAX_PATTERN)
    atoms, here = [], 0
    while char := pattern[here : here + 1]:
        if char == "+":
            raise (UnsupportedPattern if atoms else InvalidPattern)("'+' with nothing to repeat", pattern, here)
        if char in UNSUPPORTED:
            raise UnsupportedPattern(UNSUPPORTED[char], pattern, here)
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        atoms.append(Atom(chars, plus, pattern[here : after + plus], len(atoms)))
        here = after + plus
    return atoms


@mistake("parse_atoms", hint=3)
def unknown_characters_are_literals(pattern):
    """You read a character that means something elsewhere as a literal, so your `a|b` waits for a bar."""
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded("the pattern is too long", MAX_PATTERN)
    atoms, here = [], 0
    while char := pattern[here : here + 1]:
        if char == "+":
            raise (UnsupportedPattern if atoms else InvalidPattern)("'+' with nothing to repeat", pattern, here)
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        atoms.append(Atom(chars, plus, pattern[here : after + plus], here))
        here = after + plus
    return atoms


@mistake("refuse_ambiguity", hint=3)
def error_at_the_first_atom(atoms, pattern):
    """You point at the repeated atom, but the pattern isn't ambiguous until the next one."""
    for left, right in pairwise(atoms):
        if left.plus and left.chars & right.chars:
            raise UnsupportedPattern(f"{left.source!r} and then {right.source!r}", pattern, left.position)


@mistake("refuse_ambiguity", hint=1)
def only_equal_atoms_refused(atoms, pattern):
    """You only refuse two neighbours with exactly the same characters, but a single one in common is enough."""
    for left, right in pairwise(atoms):
        if left.plus and left.chars == right.chars:
            raise UnsupportedPattern(f"{left.source!r} and then {right.source!r}", pattern, right.position)


@mistake("refuse_ambiguity", hint=2)
def overlap_without_a_plus_refused(atoms, pattern):
    """You refuse neighbours with a character in common even if the left one doesn't repeat, but then there's no choice
    to make.
    """
    for left, right in pairwise(atoms):
        if left.chars & right.chars:
            raise UnsupportedPattern(f"{left.source!r} and then {right.source!r}", pattern, right.position)


@mistake("refuse_ambiguity", hint=2)
def refusal_names_no_atom(atoms, pattern):
    """You say that the pattern is ambiguous, but not which two atoms make it so."""
    for left, right in pairwise(atoms):
        if left.plus and left.chars & right.chars:
            raise UnsupportedPattern("this pattern is ambiguous", pattern, right.position)


@mistake("compile_pattern", hint=1)
def a_state_for_each_atom(pattern):
    """You make one state for each atom, so there's none left to say that all atoms have matched."""
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    last = max(len(atoms) - 1, 0)
    rows = [{} for _ in range(last + 1)]
    for state, atom in enumerate(atoms):
        rows[state] |= dict.fromkeys(atom.chars, min(state + 1, last))
    return Fsm(tuple(rows), initial=0, accepting=frozenset({last}))


@mistake("compile_pattern", hint=3)
def one_row_for_all_states(pattern):
    """You multiply a list to get its rows, so all your states share one dictionary."""
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    rows = [{}] * (len(atoms) + 1)
    for state, atom in enumerate(atoms):
        step = dict.fromkeys(atom.chars, state + 1)
        rows[state] |= step
        if atom.plus:
            rows[state + 1] |= step
    return Fsm(tuple(rows), initial=0, accepting=frozenset({len(atoms)}))


@mistake("compile_pattern", hint=2)
def plus_means_zero_or_more(pattern):
    """You give a repeated atom a loop but no state of its own, so a text can leave it out altogether."""
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    rows = [{}]
    for atom in atoms:
        if atom.plus:
            rows[-1] |= dict.fromkeys(atom.chars, len(rows) - 1)
        else:
            rows[-1] |= dict.fromkeys(atom.chars, len(rows))
            rows.append({})
    return Fsm(tuple(rows), initial=0, accepting=frozenset({len(rows) - 1}))


@mistake("compile_pattern", hint=2)
def skips_the_ambiguity_check(pattern):
    """You don't refuse ambiguity, so the next atom's transitions overwrite those of your loop."""
    atoms = parse_atoms(pattern)
    rows = [{} for _ in range(len(atoms) + 1)]
    for state, atom in enumerate(atoms):
        step = dict.fromkeys(atom.chars, state + 1)
        rows[state] |= step
        if atom.plus:
            rows[state + 1] |= step
    return Fsm(tuple(rows), initial=0, accepting=frozenset({len(atoms)}))


@mistake("compile_pattern", hint=3)
def the_empty_pattern_is_refused(pattern):
    """You refuse a pattern without atoms, but it has a match, the empty text."""
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    if not atoms:
        raise InvalidPattern("an empty pattern", pattern, 0)
    rows = [{} for _ in range(len(atoms) + 1)]
    for state, atom in enumerate(atoms):
        step = dict.fromkeys(sorted(atom.chars), state + 1)
        rows[state] |= step
        if atom.plus:
            rows[state + 1] |= step
    return Fsm(tuple(rows), initial=0, accepting=frozenset({len(atoms)}))
