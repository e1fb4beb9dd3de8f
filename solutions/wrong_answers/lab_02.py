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
    """After a token, you only move by its first character, so your state doesn't fit the text any more."""
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


@mistake("parse_escape", hint=2)
def error_at_the_letter(pattern, position):
    """You point at the letter after the backslash, but the escape begins at the backslash."""
    if position + 1 == len(pattern):
        raise InvalidPattern("a backslash with nothing after it", pattern, position)
    char = pattern[position + 1]
    if char.isascii() and char.isalnum() and char not in CONTROLS:
        raise UnsupportedPattern(f"the escape '\\{char}'", pattern, position + 1)
    return CONTROLS.get(char, char), position + 2


@mistake("parse_escape", hint=1)
def guesses_unknown_escapes(pattern, position):
    r"""You read a letter after a backslash as the letter itself, so your `\d` quietly means the letter d."""
    if position + 1 == len(pattern):
        raise InvalidPattern("a backslash with nothing after it", pattern, position)
    char = pattern[position + 1]
    return CONTROLS.get(char, char), position + 2


@mistake("parse_escape", hint=1)
def last_backslash_forgotten(pattern, position):
    """You don't check that something follows the backslash, so a pattern that ends with one gives an IndexError."""
    char = pattern[position + 1]
    if char.isascii() and char.isalnum() and char not in CONTROLS:
        raise UnsupportedPattern(f"the escape '\\{char}'", pattern, position)
    return CONTROLS.get(char, char), position + 2


@mistake("parse_escape", hint=1)
def n_is_the_letter_n(pattern, position):
    r"""You accept the control letters but don't translate them, so your `\n` means the letter n."""
    if position + 1 == len(pattern):
        raise InvalidPattern("a backslash with nothing after it", pattern, position)
    char = pattern[position + 1]
    if char.isascii() and char.isalnum() and char not in CONTROLS:
        raise UnsupportedPattern(f"the escape '\\{char}'", pattern, position)
    return char, position + 2


@mistake("parse_escape", hint=2)
def non_ascii_letters_refused(pattern, position):
    """You ask `isalnum` alone, and it's true for the letters of every alphabet, so you refuse too many escapes."""
    if position + 1 == len(pattern):
        raise InvalidPattern("a backslash with nothing after it", pattern, position)
    char = pattern[position + 1]
    if char.isalnum() and char not in CONTROLS:
        raise UnsupportedPattern(f"the escape '\\{char}'", pattern, position)
    return CONTROLS.get(char, char), position + 2


@mistake("parse_escape", hint=3)
def the_length_for_the_position(pattern, position):
    """You return how long the escape is, not the position after it."""
    if position + 1 == len(pattern):
        raise InvalidPattern("a backslash with nothing after it", pattern, position)
    char = pattern[position + 1]
    if char in CONTROLS:
        return CONTROLS[char], 2
    if char.isascii() and char.isalnum():
        raise UnsupportedPattern(f"the escape '\\{char}'", pattern, position)
    return char, 2


@mistake("parse_item", hint=3)
def backward_range_is_empty(pattern, position):
    """You take a range that runs backwards for an empty one, and raise no error."""
    first, after = read_char(pattern, position)
    if pattern[after : after + 1] != "-" or pattern[after + 1 : after + 2] in ("]", ""):
        return {first}, after
    last, after = read_char(pattern, after + 1)
    return {chr(code) for code in range(ord(first), ord(last) + 1)}, after


@mistake("parse_item", hint=2)
def escaped_end_read_raw(pattern, position):
    """You read the end of a range without looking for an escape, so you take the backslash for the end."""
    first, after = read_char(pattern, position)
    if pattern[after : after + 1] != "-" or pattern[after + 1 : after + 2] in ("]", ""):
        return {first}, after
    last = pattern[after + 1]
    if last < first:
        raise InvalidPattern("the range runs backwards", pattern, position)
    return {chr(code) for code in range(ord(first), ord(last) + 1)}, after + 2


@mistake("parse_item", hint=2)
def every_hyphen_makes_a_range(pattern, position):
    """You take every hyphen for a range, even the last one, so you read the closing bracket as the range's end."""
    first, after = read_char(pattern, position)
    if pattern[after : after + 1] != "-" or after + 1 == len(pattern):
        return {first}, after
    last, after = read_char(pattern, after + 1)
    if last < first:
        raise InvalidPattern("the range runs backwards", pattern, position)
    return {chr(code) for code in range(ord(first), ord(last) + 1)}, after


@mistake("parse_item", hint=2)
def range_without_its_end(pattern, position):
    """Your `range` stops before its end, so the last character of each range is missing."""
    first, after = read_char(pattern, position)
    if pattern[after : after + 1] != "-" or pattern[after + 1 : after + 2] in ("]", ""):
        return {first}, after
    last, after = read_char(pattern, after + 1)
    if last < first:
        raise InvalidPattern("the range runs backwards", pattern, position)
    return {chr(code) for code in range(ord(first), ord(last))}, after


@mistake("parse_class", hint=1)
def closes_at_an_escaped_bracket(pattern, position):
    """You look for the closing bracket first, and find one that's escaped."""
    if pattern.startswith("^", position + 1):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    end, after, chars = pattern.find("]", position), position + 1, set()
    if end == -1:
        raise InvalidPattern("this class is never closed", pattern, position)
    while after < end:
        more, after = parse_item(pattern, after)
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return frozenset(chars), end + 1


@mistake("parse_class", hint=3)
def empty_class_is_accepted(pattern, position):
    """You accept an empty class, and get an atom that can never match."""
    if pattern.startswith("^", position + 1):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    chars, after = set(), position + 1
    while not pattern.startswith("]", after):
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        more, after = parse_item(pattern, after)
        chars |= more
    return frozenset(chars), after + 1


@mistake("parse_class", hint=3)
def first_bracket_is_a_literal(pattern, position):
    """You read a closing bracket right after the opening one as a character, as POSIX and Python do. We refuse it."""
    if pattern.startswith("^", position + 1):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    chars, after = set(), position + 1
    while not chars or not pattern.startswith("]", after):
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        more, after = parse_item(pattern, after)
        chars |= more
    return frozenset(chars), after + 1


@mistake("parse_class", hint=3)
def negation_is_a_character(pattern, position):
    """You read the caret after the opening bracket as a character, so your class means nearly the opposite."""
    chars, after = set(), position + 1
    while not pattern.startswith("]", after):
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        more, after = parse_item(pattern, after)
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return frozenset(chars), after + 1


@mistake("parse_class", hint=3)
def stops_at_the_bracket(pattern, position):
    """You return the position of the closing bracket, but the next one to read is the position after it."""
    if pattern.startswith("^", position + 1):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    chars, after = set(), position + 1
    while not pattern.startswith("]", after):
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        more, after = parse_item(pattern, after)
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return frozenset(chars), after


@mistake("parse_class", hint=2)
def unclosed_class_runs_over(pattern, position):
    """You don't check whether the pattern ends, so a class that's never closed gives you an IndexError."""
    if pattern.startswith("^", position + 1):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    chars, after = set(), position + 1
    while pattern[after] != "]":
        more, after = parse_item(pattern, after)
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return frozenset(chars), after + 1


@mistake("parse_atoms", hint=2)
def double_pluses_come_first(pattern):
    """You look for double pluses in the whole pattern first, so you miss a fault to the left of one."""
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded(f"the pattern has {len(pattern):,} characters", MAX_PATTERN)
    atoms, here = [], 0
    if "++" in pattern[1:]:
        raise UnsupportedPattern("'+' after '+'", pattern, pattern.index("++", 1) + 1)
    while here < len(pattern):
        char = pattern[here]
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
    while here < len(pattern):
        char = pattern[here]
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
    """You read several pluses as one. Elsewhere the second has a meaning of its own, so refuse it."""
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
    while here < len(pattern):
        char = pattern[here]
        if char == "+":
            kind = UnsupportedPattern if atoms else InvalidPattern
            raise kind("'+' with nothing to repeat", pattern, here)
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
    while here < len(pattern):
        char = pattern[here]
        if char == "+":
            kind = UnsupportedPattern if atoms else InvalidPattern
            raise kind("'+' with nothing to repeat", pattern, here)
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
    """You make as many states as there are atoms, so you have none that says: all atoms have matched."""
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
