"""Wrong answers of lab 10: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("forced_byte", hint=3)
def a_byte_as_bytes(guide, state):
    """The forced byte comes back as a text of one byte and not as a number."""
    following = guide.next_bytes(state)
    if len(following) != 1 or guide.is_accepting(state):
        return None
    return following


@mistake("forced_byte", hint=3)
def a_dead_end_has_a_byte(guide, state):
    """The first of the bytes that may come next is taken where there is none."""
    following = guide.next_bytes(state)
    if len(following) > 1 or guide.is_accepting(state):
        return None
    return following[0]


@mistake("forced_byte", hint=1)
def byte_0_is_none(guide, state):
    """The byte 0 is forced like any other, and is taken for nothing."""
    following = guide.next_bytes(state)
    if len(following) != 1 or guide.is_accepting(state):
        return None
    return following[0] or None


@mistake("forced_byte", hint=1)
def the_first_of_several_bytes(guide, state):
    """Where several bytes may come, the first of them is called forced."""
    following = guide.next_bytes(state)
    if not following or guide.is_accepting(state):
        return None
    return following[0]


@mistake("forced_byte", hint=2)
def the_state_after_the_byte_accepts(guide, state):
    """Whether the text may end is asked after the byte and not before it."""
    following = guide.next_bytes(state)
    if len(following) != 1 or guide.is_accepting(guide.after_byte(state, following[0])):
        return None
    return following[0]


@mistake("forced_byte", hint=2)
def to_end_is_no_choice(guide, state):
    """A text that may end is forced to go on, past the accepting state."""
    following = guide.next_bytes(state)
    if len(following) != 1:
        return None
    return following[0]


@mistake("forced_run", hint=2)
def a_run_ends_before_a_long_character(guide, state, limit):
    """The run ends at the first byte after which a character is not complete, so it is ASCII alone."""
    run = bytearray()
    while len(run) < limit:
        byte = forced_byte(guide, state)
        if byte is None:
            break
        state = guide.after_byte(state, byte)
        if not guide.is_whole(state):
            break
        run.append(byte)
    return bytes(run)


@mistake("forced_run", hint=2)
def a_run_splits_a_character(guide, state, limit):
    """The run ends where the choice begins, in the middle of a character."""
    run = bytearray()
    while len(run) < limit:
        byte = forced_byte(guide, state)
        if byte is None:
            break
        run.append(byte)
        state = guide.after_byte(state, byte)
    return bytes(run)


@mistake("forced_run", hint=3)
def a_run_without_a_limit(guide, state, limit):
    """The run is followed to its end, and cut afterwards."""
    run, whole = bytearray(), 0
    while True:
        byte = forced_byte(guide, state)
        if byte is None:
            break
        run.append(byte)
        state = guide.after_byte(state, byte)
        if guide.is_whole(state):
            whole = len(run)
    return bytes(run[: min(whole, limit)])


@mistake("forced_run", hint=2)
def all_bytes_above_127_are_dropped(guide, state, limit):
    """A run that ends inside a character loses its last bytes down to an ASCII character, whole ones too."""
    run = bytearray()
    while len(run) < limit:
        byte = forced_byte(guide, state)
        if byte is None:
            break
        run.append(byte)
        state = guide.after_byte(state, byte)
    while run and not guide.is_whole(state) and run[-1] > 127:
        run.pop()
    return bytes(run)


@mistake("forced_run", hint=1)
def byte_0_ends_a_run(guide, state, limit):
    """A loop that stops at a false value stops at the byte 0."""
    run, whole = bytearray(), 0
    while len(run) < limit:
        byte = forced_byte(guide, state)
        if not byte:
            break
        run.append(byte)
        state = guide.after_byte(state, byte)
        if guide.is_whole(state):
            whole = len(run)
    return bytes(run[:whole])


@mistake("forced_run", hint=2)
def half_a_character_is_decoded_away(guide, state, limit):
    """The run is cleaned by decoding it, which also drops the rest of a character that the last token began."""
    run = bytearray()
    while len(run) < limit:
        byte = forced_byte(guide, state)
        if byte is None:
            break
        run.append(byte)
        state = guide.after_byte(state, byte)
    return bytes(run).decode(errors="ignore").encode()


@mistake("forced_run", hint=1)
def one_byte_is_a_run(guide, state, limit):
    """Only the first forced byte is returned."""
    run, whole = bytearray(), 0
    while len(run) < limit:
        byte = forced_byte(guide, state)
        if byte is None:
            break
        run.append(byte)
        state = guide.after_byte(state, byte)
        whole = len(run) if guide.is_whole(state) else 0
        break
    return bytes(run[:whole])


@mistake("forced_run", hint=1)
def past_the_end_of_a_word(guide, state, limit):
    """Only the number of bytes is looked at, so the run goes on past a match."""
    run, whole = bytearray(), 0
    while len(run) < limit and len(guide.next_bytes(state)) == 1:
        run += guide.next_bytes(state)
        state = guide.after_byte(state, run[-1])
        if guide.is_whole(state):
            whole = len(run)
    return bytes(run[:whole])


@mistake("forced_run", hint=2)
def the_limit_cuts_a_character(guide, state, limit):
    """Where the limit ends the run, nobody asks whether a character is complete."""
    run, whole = bytearray(), 0
    while len(run) < limit:
        byte = forced_byte(guide, state)
        if byte is None:
            break
        run.append(byte)
        state = guide.after_byte(state, byte)
        if guide.is_whole(state):
            whole = len(run)
    return bytes(run if len(run) == limit else run[:whole])


@mistake("single_tokens", hint=2)
def eos_is_forced_too(guide, state, remaining):
    """Where the guide accepts and nothing else may follow, EOS is appended like a forced token."""
    forced = []
    while len(forced) < remaining:
        bitmask = guide.mask(state, remaining - len(forced))
        if np.bitwise_count(bitmask).sum() != 1:
            break
        forced += tokens_of(bitmask)
        state = guide.advance(state, forced[-1])
    return forced


@mistake("single_tokens", hint=1)
def few_tokens_are_forced(guide, state, remaining):
    """Two legal tokens count as forced, and the lower id is taken."""
    forced = []
    while len(forced) < remaining and not guide.is_accepting(state):
        bitmask = guide.mask(state, remaining - len(forced))
        if np.bitwise_count(bitmask).sum() > 2 or not bitmask.any():
            break
        forced.append(min(tokens_of(bitmask)))
        state = guide.advance(state, forced[-1])
    return forced


@mistake("single_tokens", hint=2)
def masks_without_a_budget(guide, state, remaining):
    """The masks know no budget, so a token is a choice that the budget has ruled out."""
    forced = []
    while len(forced) < remaining and not guide.is_accepting(state):
        bitmask = guide.mask(state)
        if np.bitwise_count(bitmask).sum() != 1:
            break
        forced += tokens_of(bitmask)
        state = guide.advance(state, forced[-1])
    return forced


@mistake("single_tokens", hint=3)
def negative_words_are_empty(guide, state, remaining):
    """A word counts only if it is above 0, and one that allows token 31 is below."""
    forced = []
    while len(forced) < remaining and not guide.is_accepting(state):
        bitmask = guide.mask(state, remaining - len(forced))
        if np.bitwise_count(bitmask[bitmask > 0]).sum() != 1:
            break
        forced += tokens_of(np.maximum(bitmask, 0))
        state = guide.advance(state, forced[-1])
    return forced


@mistake("single_tokens", hint=1)
def one_forced_token_is_enough(guide, state, remaining):
    """After the first forced token the next mask is not looked at."""
    forced = []
    while len(forced) < remaining and not guide.is_accepting(state):
        bitmask = guide.mask(state, remaining - len(forced))
        if np.bitwise_count(bitmask).sum() != 1:
            break
        forced += tokens_of(bitmask)
        break
    return forced


@mistake("single_tokens", hint=3)
def signed_bits_are_counted(guide, state, remaining):
    """Bits are counted in signed words, so tokens 30 and 31 of a word count as one, and both are written."""
    forced = []
    while len(forced) < remaining and not guide.is_accepting(state):
        bitmask = guide.mask(state, remaining - len(forced))
        if np.bitwise_count(bitmask).sum() != 1:
            break
        forced += tokens_of(bitmask)
        state = guide.advance(state, forced[-1])
    return forced


@mistake("single_tokens", hint=2)
def the_budget_of_the_first_mask(guide, state, remaining):
    """Every mask is asked for with the budget of the first."""
    forced = []
    while len(forced) < remaining and not guide.is_accepting(state):
        bitmask = guide.mask(state, remaining)
        if np.bitwise_count(bitmask).sum() != 1:
            break
        forced += tokens_of(bitmask)
        state = guide.advance(state, forced[-1])
    return forced


@mistake("single_tokens", hint=3)
def the_state_does_not_move(guide, state, remaining):
    """The mask of the first state is asked for again and again."""
    forced = []
    while len(forced) < remaining and not guide.is_accepting(state):
        bitmask = guide.mask(state, remaining - len(forced))
        if np.bitwise_count(bitmask).sum() != 1:
            break
        forced += tokens_of(bitmask)
    return forced


@mistake("longest_tokens", hint=2)
def all_or_nothing(run, tokens):
    """If the end of a run is no token, its beginning is thrown away as well."""
    ids = []
    place = 0
    while place < len(run):
        pieces = (run[place : place + size] for size in range(tokens.longest, 0, -1))
        piece = next((piece for piece in pieces if piece in tokens.ids), None)
        if piece is None:
            return []
        ids.append(tokens.ids[piece])
        place += len(piece)
    return ids


@mistake("longest_tokens", hint=2)
def an_unknown_byte_is_skipped(run, tokens):
    """A byte that no token begins with is left out, and the rest is written after the gap."""
    ids = []
    place = 0
    while place < len(run):
        pieces = (run[place : place + size] for size in range(tokens.longest, 0, -1))
        piece = next((piece for piece in pieces if piece in tokens.ids), None)
        if piece is None:
            place += 1
            continue
        ids.append(tokens.ids[piece])
        place += len(piece)
    return ids


@mistake("longest_tokens", hint=1)
def no_longer_than_two_bytes(run, tokens):
    """Slices of one or two bytes are tried, since most tokens are short."""
    ids = []
    place = 0
    while place < len(run):
        pieces = (run[place : place + size] for size in range(2, 0, -1))
        piece = next((piece for piece in pieces if piece in tokens.ids), None)
        if piece is None:
            break
        ids.append(tokens.ids[piece])
        place += len(piece)
    return ids


@mistake("longest_tokens", hint=1)
def the_fewest_tokens(run, tokens):
    """The run is written in as few tokens as possible, and not in the longest from the left."""
    best = {0: []}
    for end in range(1, len(run) + 1):
        for start in range(max(0, end - tokens.longest), end):
            token_id = tokens.ids.get(run[start:end])
            if token_id is None or start not in best:
                continue
            if end not in best or len(best[start]) + 1 < len(best[end]):
                best[end] = [*best[start], token_id]
    return best[max(best)]


@mistake("longest_tokens", hint=1)
def the_shortest_token(run, tokens):
    """Slices are looked up from the shortest on, so a run becomes single bytes."""
    ids = []
    place = 0
    while place < len(run):
        pieces = (run[place : place + size] for size in range(1, tokens.longest + 1))
        piece = next((piece for piece in pieces if piece in tokens.ids), None)
        if piece is None:
            break
        ids.append(tokens.ids[piece])
        place += len(piece)
    return ids


@mistake("longest_tokens", hint=2)
def tokens_cross_the_end(run, tokens):
    """A token that begins as the rest does is taken, although it reaches beyond the end of the run."""
    ids = []
    while run:
        fits = [token for token in tokens.ids if run.startswith(token) or token.startswith(run)]
        if not fits:
            break
        ids.append(tokens.ids[max(fits, key=len)])
        run = run[len(max(fits, key=len)) :]
    return ids


@mistake("retokenized", hint=2)
def a_seam_inside_a_character_raises(last, run, tokens):
    """A last token that is half a character makes the decoding fail."""
    text = tokens.bytes_of(last) + run
    ids = tokens.encode(text.decode())
    return ids if tokens.bytes_of(ids) == text else [*last, *longest_tokens(run, tokens)]


@mistake("retokenized", hint=2)
def a_space_in_front_is_dropped(last, run, tokens):
    """A space that the tokenizer put in front is taken away, and the rest is kept."""
    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode())
    except UnicodeDecodeError:
        ids = []
    if ids and tokens.bytes_of(ids[:1]) == b" " and not text.startswith(b" "):
        ids = ids[1:]
    return ids if tokens.bytes_of(ids) == text else [*last, *longest_tokens(run, tokens)]


@mistake("retokenized", hint=3)
def a_special_last_token_is_dropped(last, run, tokens):
    """Only the tokenizer's ids are searched for tokens without bytes, so one that was there before disappears."""
    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode())
    except UnicodeDecodeError:
        ids = []
    has_bytes = all(tokens.bytes_of([token_id]) for token_id in ids)
    return ids if has_bytes and tokens.bytes_of(ids) == text else [*last, *longest_tokens(run, tokens)]


@mistake("retokenized", hint=2)
def capitals_do_not_count(last, run, tokens):
    """Texts are compared without regard to capitals, which some tokenizers lower."""
    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode())
    except UnicodeDecodeError:
        ids = []
    has_bytes = all(tokens.bytes_of([token_id]) for token_id in [*last, *ids])
    same = tokens.bytes_of(ids).lower() == text.lower()
    return ids if has_bytes and same else [*last, *longest_tokens(run, tokens)]


@mistake("retokenized", hint=2)
def half_a_character_is_replaced(last, run, tokens):
    """Bytes that are no text are decoded with replacement characters."""
    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode(errors="replace"))
    except UnicodeDecodeError:  # the last token ends, or begins, inside a character
        ids = []
    return ids if ids else [*last, *longest_tokens(run, tokens)]


@mistake("retokenized", hint=2)
def no_text_and_no_jump(last, run, tokens):
    """Where the tokenizer cannot help, the last token comes back alone."""
    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode())
    except UnicodeDecodeError:  # the last token ends, or begins, inside a character
        ids = []
    return ids if tokens.bytes_of(ids) == text else [*last]


@mistake("retokenized", hint=2)
def spaces_around_a_text_do_not_count(last, run, tokens):
    """A text with a space in front is taken for the same text."""
    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode())
    except UnicodeDecodeError:
        ids = []
    has_bytes = all(tokens.bytes_of([token_id]) for token_id in [*last, *ids])
    same = tokens.bytes_of(ids).strip() == text.strip()
    return ids if has_bytes and same else [*last, *longest_tokens(run, tokens)]


@mistake("retokenized", hint=2)
def the_first_token_is_skipped(last, run, tokens):
    """Every tokenizer is expected to begin with BOS, so the first id is thrown away."""
    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode())[1:]
    except UnicodeDecodeError:
        ids = []
    return ids if tokens.bytes_of(ids) == text else [*last, *longest_tokens(run, tokens)]


@mistake("retokenized", hint=3)
def the_last_token_is_lost(last, run, tokens):
    """Where the tokenizer cannot help, the run is written and the last token forgotten."""
    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode())
    except UnicodeDecodeError:  # the last token ends, or begins, inside a character
        ids = []
    return ids if tokens.bytes_of(ids) == text else longest_tokens(run, tokens)


@mistake("retokenized", hint=2)
def the_last_token_is_respelled(last, run, tokens):
    """Where the tokenizer cannot help, the last token is written in the longest tokens too."""
    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode())
    except UnicodeDecodeError:
        ids = []
    return ids if tokens.bytes_of(ids) == text else longest_tokens(text, tokens)


@mistake("retokenized", hint=1)
def the_run_alone_is_encoded(last, run, tokens):
    """The seam stays as it is: the tokenizer sees the run without the last token."""
    text = run
    try:
        ids = tokens.encode(text.decode())
    except UnicodeDecodeError:  # the last token ends, or begins, inside a character
        ids = []
    return [*last, *ids] if tokens.bytes_of(ids) == text else [*last, *longest_tokens(run, tokens)]


@mistake("retokenized", hint=2)
def the_tokenizer_is_trusted(last, run, tokens):
    """What the tokenizer writes is taken, even if it is another text."""
    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode())
    except UnicodeDecodeError:  # the last token ends, or begins, inside a character
        ids = []
    return ids if ids else [*last, *longest_tokens(run, tokens)]


@mistake("retokenized", hint=2)
def tokens_without_bytes_go_unseen(last, run, tokens):
    """Only the bytes are compared, so a BOS that the tokenizer puts in front ends up in the answer."""
    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode())
    except UnicodeDecodeError:
        ids = []
    return ids if tokens.bytes_of(ids) == text else [*last, *longest_tokens(run, tokens)]


@mistake("retokenized", hint=2)
def what_looks_alike_is_alike(last, run, tokens):
    """Texts are compared after normalisation, so é may come back as one character where two were forced."""
    from unicodedata import normalize

    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode())
        same = normalize("NFC", tokens.bytes_of(ids).decode()) == normalize("NFC", text.decode())
    except UnicodeDecodeError:
        ids, same = [], False
    has_bytes = all(tokens.bytes_of([token_id]) for token_id in [*last, *ids])
    return ids if has_bytes and same else [*last, *longest_tokens(run, tokens)]


@mistake("certain_tokens", hint=3)
def an_unknown_place_has_no_bytes(guide, before, tail, tokens):
    """A token whose place is not known is skipped, and its bytes still count as left."""
    left = sum(map(len, tail))
    for place, (state, token) in enumerate(zip(before, tail, strict=True)):
        if state is None:
            continue
        if tokens.longest_of(guide.mask(state)) > left:
            return place
        left -= len(token)
    return len(tail)


@mistake("certain_tokens", hint=1)
def everything_is_certain(guide, before, tail, tokens):
    """The whole tail is kept, also where a longer token is legal."""
    return len(tail)


@mistake("certain_tokens", hint=2)
def longer_than_the_token(guide, before, tail, tokens):
    """A longer token is compared with the token at its place and not with the rest of the tail."""
    left = sum(map(len, tail))
    for place, (state, token) in enumerate(zip(before, tail, strict=True)):
        if state is not None and tokens.longest_of(guide.mask(state)) > len(token):
            return place
        left -= len(token)
    return len(tail)


@mistake("certain_tokens", hint=2)
def nothing_is_known_is_a_state(guide, before, tail, tokens):
    """None is handed to the guide as if it were a state."""
    left = sum(map(len, tail))
    for place, (state, token) in enumerate(zip(before, tail, strict=True)):
        if tokens.longest_of(guide.mask(state)) > left:
            return place
        left -= len(token)
    return len(tail)


@mistake("certain_tokens", hint=2)
def only_the_last_place(guide, before, tail, tokens):
    """Only at the last token is a longer one looked for."""
    if tail and before[-1] is not None and tokens.longest_of(guide.mask(before[-1])) > len(tail[-1]):
        return len(tail) - 1
    return len(tail)


@mistake("certain_tokens", hint=3)
def the_token_itself_stays(guide, before, tail, tokens):
    """The token at the place where a longer one is legal is kept too."""
    left = sum(map(len, tail))
    for place, (state, token) in enumerate(zip(before, tail, strict=True)):
        if state is not None and tokens.longest_of(guide.mask(state)) > left:
            return place + 1
        left -= len(token)
    return len(tail)


@mistake("certain_tokens", hint=2)
def up_to_the_end_crosses(guide, before, tail, tokens):
    """A legal token that ends exactly where the tail ends is taken for one that crosses."""
    left = sum(map(len, tail))
    for place, (state, token) in enumerate(zip(before, tail, strict=True)):
        if state is not None and tokens.longest_of(guide.mask(state)) >= left:
            return place
        left -= len(token)
    return len(tail)


@mistake("within_budget", hint=2)
def eos_needs_no_room(guide, states, room):
    """The fewest tokens to a match must fit, and EOS is forgotten."""
    for kept in range(len(states), 0, -1):
        state = states[kept - 1]
        if state is not None and kept + guide.tokens_to_accept(state) <= room:
            return kept
    return 0


@mistake("within_budget", hint=2)
def exactly_enough_is_too_little(guide, states, room):
    """A tail that fits exactly is refused."""
    for kept in range(len(states), 0, -1):
        state = states[kept - 1]
        if state is not None and kept + guide.tokens_to_accept(state) + 1 < room:
            return kept
    return 0


@mistake("within_budget", hint=2)
def only_the_tail_must_fit(guide, states, room):
    """The tail must fit, and what comes after it is somebody else's affair."""
    for kept in range(len(states), 0, -1):
        state = states[kept - 1]
        if state is not None and kept <= room:
            return kept
    return 0


@mistake("within_budget", hint=2)
def stops_at_the_first_that_does_not_fit(guide, states, room):
    """Tokens are added until one does not fit, although a longer tail may need fewer."""
    kept = 0
    for number, state in enumerate(states, start=1):
        if state is None:
            continue
        if number + guide.tokens_to_accept(state) + 1 > room:
            break
        kept = number
    return kept


@mistake("within_budget", hint=1)
def the_whole_tail_or_none(guide, states, room):
    """A tail that does not fit is dropped as a whole."""
    if states and states[-1] is not None and len(states) + guide.tokens_to_accept(states[-1]) + 1 <= room:
        return len(states)
    return 0


@mistake("jump", hint=2)
def another_spelling_is_a_jump(jumper, state, written, remaining):
    """A tail that writes the last token otherwise, and nothing after it, is returned as a jump."""
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    else:
        run = forced_run(guide, state.current, remaining * tokens.longest)
        if not run:
            return []
        tail = retokenized(last, run, tokens) if jumper.policy == "whole" else [*last, *longest_tokens(run, tokens)]
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    if jumper.policy == "whole":
        before = [None if last else state.current, *after[:-1]]
        after = after[: certain_tokens(guide, before, pieces, tokens)]
    kept = within_budget(guide, after, remaining + len(last))
    if not kept:
        return []
    state.current = after[kept - 1]
    return tail[:kept]


@mistake("jump", hint=1)
def as_many_bytes_as_tokens(jumper, state, written, remaining):
    """The run is bounded by the tokens that remain, as if each were one byte."""
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    else:
        run = forced_run(guide, state.current, remaining)
        if not run:
            return []
        tail = retokenized(last, run, tokens) if jumper.policy == "whole" else [*last, *longest_tokens(run, tokens)]
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    if jumper.policy == "whole":
        before = [None if last else state.current, *after[:-1]]
        after = after[: certain_tokens(guide, before, pieces, tokens)]
    kept = within_budget(guide, after, remaining + len(last))
    if sum(map(len, pieces[:kept])) <= len(tokens.bytes_of(last)):
        return []
    state.current = after[kept - 1]
    return tail[:kept]


@mistake("jump", hint=2)
def ids_are_compared_and_not_bytes(jumper, state, written, remaining):
    """Only the very same id counts as no jump, and another one for the same bytes as a jump."""
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    else:
        run = forced_run(guide, state.current, remaining * tokens.longest)
        if not run:
            return []
        tail = retokenized(last, run, tokens) if jumper.policy == "whole" else [*last, *longest_tokens(run, tokens)]
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    if jumper.policy == "whole":
        before = [None if last else state.current, *after[:-1]]
        after = after[: certain_tokens(guide, before, pieces, tokens)]
    kept = within_budget(guide, after, remaining + len(last))
    if kept == 0 or [*tail[:kept]] == [*last]:
        return []
    state.current = after[kept - 1]
    return tail[:kept]


@mistake("jump", hint=1)
def no_budget_for_a_jump(jumper, state, written, remaining):
    """The tail is kept whatever remains."""
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    else:
        run = forced_run(guide, state.current, remaining * tokens.longest)
        if not run:
            return []
        tail = retokenized(last, run, tokens) if jumper.policy == "whole" else [*last, *longest_tokens(run, tokens)]
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    if jumper.policy == "whole":
        before = [None if last else state.current, *after[:-1]]
        after = after[: certain_tokens(guide, before, pieces, tokens)]
    kept = len(after)
    if sum(map(len, pieces[:kept])) <= len(tokens.bytes_of(last)):
        return []
    state.current = after[kept - 1]
    return tail[:kept]


@mistake("jump", hint=2)
def no_room_for_the_last(jumper, state, written, remaining):
    """The last token is counted again, although the tail replaces it."""
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    else:
        run = forced_run(guide, state.current, remaining * tokens.longest)
        if not run:
            return []
        tail = retokenized(last, run, tokens) if jumper.policy == "whole" else [*last, *longest_tokens(run, tokens)]
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    if jumper.policy == "whole":
        before = [None if last else state.current, *after[:-1]]
        after = after[: certain_tokens(guide, before, pieces, tokens)]
    kept = within_budget(guide, after, remaining)
    if sum(map(len, pieces[:kept])) <= len(tokens.bytes_of(last)):
        return []
    state.current = after[kept - 1]
    return tail[:kept]


@mistake("jump", hint=1)
def only_what_is_new(jumper, state, written, remaining):
    """The forced tokens are returned without the last one, whose place the tail takes."""
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    else:
        run = forced_run(guide, state.current, remaining * tokens.longest)
        if not run:
            return []
        tail = retokenized(last, run, tokens) if jumper.policy == "whole" else [*last, *longest_tokens(run, tokens)]
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    if jumper.policy == "whole":
        before = [None if last else state.current, *after[:-1]]
        after = after[: certain_tokens(guide, before, pieces, tokens)]
    kept = within_budget(guide, after, remaining + len(last))
    if sum(map(len, pieces[:kept])) <= len(tokens.bytes_of(last)):
        return []
    state.current = after[kept - 1]
    return tail[len(last) : kept]


@mistake("jump", hint=2)
def room_for_a_token_that_was_not(jumper, state, written, remaining):
    """One more than remains fits even at the start, where no last token makes room."""
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    else:
        run = forced_run(guide, state.current, remaining * tokens.longest)
        if not run:
            return []
        tail = retokenized(last, run, tokens) if jumper.policy == "whole" else [*last, *longest_tokens(run, tokens)]
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    if jumper.policy == "whole":
        before = [None if last else state.current, *after[:-1]]
        after = after[: certain_tokens(guide, before, pieces, tokens)]
    kept = within_budget(guide, after, remaining + 1)
    if sum(map(len, pieces[:kept])) <= len(tokens.bytes_of(last)):
        return []
    state.current = after[kept - 1]
    return tail[:kept]


@mistake("jump", hint=3)
def tails_are_never_certain(jumper, state, written, remaining):
    """The third policy keeps what a legal token crosses, like the others."""
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    else:
        run = forced_run(guide, state.current, remaining * tokens.longest)
        if not run:
            return []
        tail = retokenized(last, run, tokens) if jumper.policy == "whole" else [*last, *longest_tokens(run, tokens)]
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    if jumper.policy == "none":
        before = [None if last else state.current, *after[:-1]]
        after = after[: certain_tokens(guide, before, pieces, tokens)]
    kept = within_budget(guide, after, remaining + len(last))
    if sum(map(len, pieces[:kept])) <= len(tokens.bytes_of(last)):
        return []
    state.current = after[kept - 1]
    return tail[:kept]


@mistake("jump", hint=1)
def the_seam_of_the_whole_answer(jumper, state, written, remaining):
    """The third policy writes the whole answer anew, which the model has read already."""
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    else:
        run = forced_run(guide, state.current, remaining * tokens.longest)
        if not run:
            return []
        tail = retokenized(written, run, tokens) if jumper.policy == "whole" else [*last, *longest_tokens(run, tokens)]
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    if jumper.policy == "whole":
        before = [None if last else state.current, *after[:-1]]
        after = after[: certain_tokens(guide, before, pieces, tokens)]
    kept = within_budget(guide, after, remaining + len(last))
    if sum(map(len, pieces[:kept])) <= len(tokens.bytes_of(last)):
        return []
    state.current = after[kept - 1]
    return tail[:kept]


@mistake("jump", hint=3)
def the_state_before_the_last_is_known(jumper, state, written, remaining):
    """The state after the last token is taken for the one before it."""
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    else:
        run = forced_run(guide, state.current, remaining * tokens.longest)
        if not run:
            return []
        tail = retokenized(last, run, tokens) if jumper.policy == "whole" else [*last, *longest_tokens(run, tokens)]
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    if jumper.policy == "whole":
        before = [state.current, *after[:-1]]
        after = after[: certain_tokens(guide, before, pieces, tokens)]
    kept = within_budget(guide, after, remaining + len(last))
    if sum(map(len, pieces[:kept])) <= len(tokens.bytes_of(last)):
        return []
    state.current = after[kept - 1]
    return tail[:kept]


@mistake("jump", hint=3)
def the_state_is_after_the_certain_tokens(jumper, state, written, remaining):
    """The state moves to where the certain tokens end, also where the budget cuts the tail before."""
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    run = forced_run(guide, state.current, remaining * tokens.longest)
    tail = [*last, *longest_tokens(run, tokens)]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    elif jumper.policy == "whole" and run:
        tail = retokenized(last, run, tokens)
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    before = [None if last else state.current, *after[:-1]]
    certain = certain_tokens(guide, before, pieces, tokens) if jumper.policy == "whole" else len(tail)
    kept = within_budget(guide, after[:certain], remaining + len(last))
    if sum(map(len, pieces[:kept])) <= len(tokens.bytes_of(last)):
        return []
    state.current = after[certain - 1]
    return tail[:kept]


@mistake("jump", hint=3)
def the_state_is_after_the_whole_tail(jumper, state, written, remaining):
    """Where the budget cuts a tail, the state still moves over all of it."""
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    run = forced_run(guide, state.current, remaining * tokens.longest)
    tail = [*last, *longest_tokens(run, tokens)]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    elif jumper.policy == "whole" and run:
        tail = retokenized(last, run, tokens)
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    before = [None if last else state.current, *after[:-1]]
    certain = certain_tokens(guide, before, pieces, tokens) if jumper.policy == "whole" else len(tail)
    kept = within_budget(guide, after[:certain], remaining + len(last))
    if sum(map(len, pieces[:kept])) <= len(tokens.bytes_of(last)):
        return []
    state.current = after[-1]
    return tail[:kept]


@mistake("jump", hint=3)
def the_state_stays(jumper, state, written, remaining):
    """The tokens are returned, and the state stays before them."""
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    else:
        run = forced_run(guide, state.current, remaining * tokens.longest)
        if not run:
            return []
        tail = retokenized(last, run, tokens) if jumper.policy == "whole" else [*last, *longest_tokens(run, tokens)]
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    if jumper.policy == "whole":
        before = [None if last else state.current, *after[:-1]]
        after = after[: certain_tokens(guide, before, pieces, tokens)]
    kept = within_budget(guide, after, remaining + len(last))
    if sum(map(len, pieces[:kept])) <= len(tokens.bytes_of(last)):
        return []
    return tail[:kept]


@mistake("before_stop", hint=2)
def each_token_by_itself(text, tail, stop):
    """A stop string must stand inside one token."""
    for written, token in enumerate(tail, start=1):
        text = token
        if any(each.encode() in text for each in stop):
            return written
    return len(tail)


@mistake("before_stop", hint=1)
def one_token_too_few(text, tail, stop):
    """The token that completes the stop string is left out."""
    for written, token in enumerate(tail, start=1):
        text += token
        if any(each.encode() in text for each in stop):
            return written - 1
    return len(tail)


@mistake("before_stop", hint=2)
def only_inside_the_jump(text, tail, stop):
    """A stop string that began before the jump is not seen."""
    text = b""
    for written, token in enumerate(tail, start=1):
        text += token
        if any(each.encode() in text for each in stop):
            return written
    return len(tail)


@mistake("before_stop", hint=2)
def only_the_first_string(text, tail, stop):
    """The other stop strings are not looked for."""
    for written, token in enumerate(tail, start=1):
        text += token
        if stop and stop[0].encode() in text:
            return written
    return len(tail)


@mistake("before_stop", hint=3)
def the_token_ends_with_the_string(text, tail, stop):
    """A stop string counts only where a token ends with it."""
    for written, token in enumerate(tail, start=1):
        text += token
        if any(text.endswith(each.encode()) for each in stop):
            return written
    return len(tail)


@mistake("before_stop", hint=1)
def the_whole_tail_is_written(text, tail, stop):
    """The tail is written to its end, and the text cut later."""
    return len(tail)


@mistake("append_tail", hint=3)
def a_match_goes_on(stream, tail, logprob, tokens):
    """A whole match after which nothing may follow waits for a pass for EOS."""
    text = tokens.bytes_of(stream.ids)
    kept = before_stop(text, [tokens.bytes_of([token_id]) for token_id in tail], stream.params.stop)
    kept = min(kept, stream.remaining)
    stream.ids += tail[:kept]
    stream.logprobs += [logprob, *[None] * (kept - 1)]
    stopped = any(each.encode() in tokens.bytes_of(stream.ids) for each in stream.params.stop)
    if stopped:
        stream.finish_reason = "stop"
    elif not stream.remaining:
        stream.finish_reason = "length"


@mistake("append_tail", hint=3)
def a_stop_string_beyond_the_budget(stream, tail, logprob, tokens):
    """A stop string of which the budget leaves only a part still ends the answer with stop."""
    text = tokens.bytes_of(stream.ids)
    kept = before_stop(text, [tokens.bytes_of([token_id]) for token_id in tail], stream.params.stop)
    text += tokens.bytes_of(tail[:kept])
    kept = min(kept, stream.remaining)
    stream.ids += tail[:kept]
    stream.logprobs += [logprob, *[None] * (kept - 1)]
    stopped = any(each.encode() in text for each in stream.params.stop)
    if stopped or is_finished(stream.state, stream.remaining or None):
        stream.finish_reason = "stop"
    elif not stream.remaining:
        stream.finish_reason = "length"


@mistake("append_tail", hint=2)
def forced_tokens_have_a_logprob(stream, tail, logprob, tokens):
    """Forced tokens get the logprob of the sampled one."""
    text = tokens.bytes_of(stream.ids)
    kept = before_stop(text, [tokens.bytes_of([token_id]) for token_id in tail], stream.params.stop)
    kept = min(kept, stream.remaining)
    stream.ids += tail[:kept]
    stream.logprobs += [logprob] * kept
    stopped = any(each.encode() in tokens.bytes_of(stream.ids) for each in stream.params.stop)
    if stopped or is_finished(stream.state, stream.remaining or None):
        stream.finish_reason = "stop"
    elif not stream.remaining:
        stream.finish_reason = "length"


@mistake("append_tail", hint=2)
def no_logprob_for_a_jump(stream, tail, logprob, tokens):
    """The sampled token loses its logprob if forced ones follow."""
    text = tokens.bytes_of(stream.ids)
    kept = before_stop(text, [tokens.bytes_of([token_id]) for token_id in tail], stream.params.stop)
    kept = min(kept, stream.remaining)
    stream.ids += tail[:kept]
    stream.logprobs += [logprob if kept == 1 else None, *[None] * (kept - 1)]
    stopped = any(each.encode() in tokens.bytes_of(stream.ids) for each in stream.params.stop)
    if stopped or is_finished(stream.state, stream.remaining or None):
        stream.finish_reason = "stop"
    elif not stream.remaining:
        stream.finish_reason = "length"


@mistake("append_tail", hint=3)
def past_max_tokens(stream, tail, logprob, tokens):
    """The tail is appended whatever remains."""
    text = tokens.bytes_of(stream.ids)
    kept = before_stop(text, [tokens.bytes_of([token_id]) for token_id in tail], stream.params.stop)
    stream.ids += tail[:kept]
    stream.logprobs += [logprob, *[None] * (kept - 1)]
    stopped = any(each.encode() in tokens.bytes_of(stream.ids) for each in stream.params.stop)
    if stopped or is_finished(stream.state, stream.remaining or None):
        stream.finish_reason = "stop"
    elif stream.remaining <= 0:
        stream.finish_reason = "length"


@mistake("append_tail", hint=2)
def stop_strings_end_nothing(stream, tail, logprob, tokens):
    """A stop string cuts the tail, and the request goes on."""
    text = tokens.bytes_of(stream.ids)
    kept = before_stop(text, [tokens.bytes_of([token_id]) for token_id in tail], stream.params.stop)
    kept = min(kept, stream.remaining)
    stream.ids += tail[:kept]
    stream.logprobs += [logprob, *[None] * (kept - 1)]
    if is_finished(stream.state, stream.remaining or None):
        stream.finish_reason = "stop"
    elif not stream.remaining:
        stream.finish_reason = "length"


@mistake("append_tail", hint=3)
def stopped_where_the_tail_was_cut(stream, tail, logprob, tokens):
    """Only a tail that was cut is known to hold a stop string, so one at its very end is missed."""
    text = tokens.bytes_of(stream.ids)
    kept = before_stop(text, [tokens.bytes_of([token_id]) for token_id in tail], stream.params.stop)
    stopped = kept < len(tail)
    kept = min(kept, stream.remaining)
    stream.ids += tail[:kept]
    stream.logprobs += [logprob, *[None] * (kept - 1)]
    if stopped or is_finished(stream.state, stream.remaining or None):
        stream.finish_reason = "stop"
    elif not stream.remaining:
        stream.finish_reason = "length"


@mistake("append_tail", hint=2)
def the_budget_comes_first(stream, tail, logprob, tokens):
    """A whole match that uses the last token ends with length."""
    text = tokens.bytes_of(stream.ids)
    kept = before_stop(text, [tokens.bytes_of([token_id]) for token_id in tail], stream.params.stop)
    kept = min(kept, stream.remaining)
    stream.ids += tail[:kept]
    stream.logprobs += [logprob, *[None] * (kept - 1)]
    text = tokens.bytes_of(stream.ids)
    if not stream.remaining:
        stream.finish_reason = "length"
    elif any(each.encode() in text for each in stream.params.stop) or is_finished(stream.state, stream.remaining):
        stream.finish_reason = "stop"


@mistake("append_tail", hint=3)
def the_budget_forces_no_end(stream, tail, logprob, tokens):
    """The end is asked for without the budget, so a match with room for EOS alone goes on."""
    text = tokens.bytes_of(stream.ids)
    kept = before_stop(text, [tokens.bytes_of([token_id]) for token_id in tail], stream.params.stop)
    kept = min(kept, stream.remaining)
    stream.ids += tail[:kept]
    stream.logprobs += [logprob, *[None] * (kept - 1)]
    stopped = any(each.encode() in tokens.bytes_of(stream.ids) for each in stream.params.stop)
    if stopped or is_finished(stream.state):
        stream.finish_reason = "stop"
    elif not stream.remaining:
        stream.finish_reason = "length"


@mistake("share_step", hint=2)
def equal_shares_are_wasted(pending, limit):
    """Each gets an equal share, and what the short ones leave is lost."""
    return [min(count, limit // max(1, len(pending))) for count in pending]


@mistake("share_step", hint=1)
def first_come_first_served(pending, limit):
    """The first requests get all they have, and the last nothing."""
    shares = []
    for count in pending:
        shares.append(min(count, limit))
        limit -= shares[-1]
    return shares


@mistake("share_step", hint=1)
def one_token_each(pending, limit):
    """Nobody reads more than one token a step, so a jump saves nothing."""
    return [min(count, 1) for count in pending]


@mistake("share_step", hint=3)
def shares_in_the_order_of_length(pending, limit):
    """The shares come back sorted and not in the order of the requests."""
    shares = [0] * len(pending)
    for served, place in enumerate(sorted(range(len(pending)), key=lambda place: pending[place])):
        shares[place] = min(pending[place], limit // (len(pending) - served))
        limit -= shares[place]
    return sorted(shares)


@mistake("share_step", hint=3)
def shares_of_the_whole_step(pending, limit):
    """What others have taken is not subtracted."""
    shares = [0] * len(pending)
    for served, place in enumerate(sorted(range(len(pending)), key=lambda place: pending[place])):
        shares[place] = min(pending[place], limit // (len(pending) - served))
    return shares


@mistake("share_step", hint=2)
def the_longest_first(pending, limit):
    """The longest take their share first, so what the short ones leave comes too late."""
    shares = [0] * len(pending)
    for served, place in enumerate(sorted(range(len(pending)), key=lambda place: -pending[place])):
        shares[place] = min(pending[place], limit // (len(pending) - served))
        limit -= shares[place]
    return shares


@mistake("ragged_batch", hint=2)
def a_batch_of_no_width(pieces):
    """Where nobody has a token the array is empty."""
    lengths = np.array([len(piece) for piece in pieces], np.intp)
    tokens = np.zeros((len(pieces), max(lengths)), np.intp)
    for row, piece in zip(tokens, pieces, strict=True):
        row[: len(piece)] = piece
    return tokens, lengths


@mistake("ragged_batch", hint=2)
def an_empty_batch_is_one_number(pieces):
    """The width is the largest of 1 and the lengths, and without lengths max is left with one number to go through."""
    lengths = np.array([len(piece) for piece in pieces], np.intp)
    tokens = np.zeros((len(pieces), max(1, *lengths)), np.intp)
    for row, piece in zip(tokens, pieces, strict=True):
        row[: len(piece)] = piece
    return tokens, lengths


@mistake("ragged_batch", hint=3)
def lengths_of_the_widest(pieces):
    """Every row claims to be as long as the longest."""
    lengths = np.array([len(piece) for piece in pieces], np.intp)
    tokens = np.zeros((len(pieces), max(1, *lengths)), np.intp)
    for row, piece in zip(tokens, pieces, strict=True):
        row[: len(piece)] = piece
    return tokens, np.full_like(lengths, tokens.shape[1])


@mistake("ragged_batch", hint=2)
def padded_on_the_left(pieces):
    """The padding stands in front of the ids."""
    lengths = np.array([len(piece) for piece in pieces], np.intp)
    tokens = np.zeros((len(pieces), max(1, *lengths)), np.intp)
    for row, piece in zip(tokens, pieces, strict=True):
        row[len(row) - len(piece) :] = piece
    return tokens, lengths


@mistake("ragged_batch", hint=3)
def tokens_of_32_bits(pieces):
    """The array is int32 and not intp."""
    lengths = np.array([len(piece) for piece in pieces], np.intp)
    tokens = np.zeros((len(pieces), max(1, *lengths)), np.int32)
    for row, piece in zip(tokens, pieces, strict=True):
        row[: len(piece)] = piece
    return tokens, lengths


@mistake("append_to_cache", hint=3)
def one_token_for_each_row(cache, lengths, counts, new):
    """Every row's length grows by one, whatever it read."""
    rows = np.repeat(np.arange(len(counts)), counts)
    places = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    cache[rows, lengths[rows] + places] = new
    return lengths + (counts > 0)


@mistake("append_to_cache", hint=2)
def positions_of_the_longest_row(cache, lengths, counts, new):
    """All rows go on where the longest one ends."""
    rows = np.repeat(np.arange(len(counts)), counts)
    places = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    cache[rows, lengths.max() + places] = new
    return lengths + counts


@mistake("append_to_cache", hint=2)
def positions_off_by_one(cache, lengths, counts, new):
    """New tokens begin one position after the next free one."""
    rows = np.repeat(np.arange(len(counts)), counts)
    places = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    cache[rows, lengths[rows] + places + 1] = new
    return lengths + counts


@mistake("append_to_cache", hint=2)
def positions_run_on_from_row_to_row(cache, lengths, counts, new):
    """The places count on from one row to the next."""
    rows = np.repeat(np.arange(len(counts)), counts)
    places = np.arange(len(rows))
    cache[rows, (lengths[rows] + places) % cache.shape[1]] = new
    return lengths + counts


@mistake("append_to_cache", hint=1)
def the_cache_is_overwritten(cache, lengths, counts, new):
    """The new vectors are written over the old ones, from position 0 on."""
    rows = np.repeat(np.arange(len(counts)), counts)
    places = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    cache[rows, places] = new
    return lengths + counts


@mistake("append_to_cache", hint=3)
def the_lengths_change_in_place(cache, lengths, counts, new):
    """The caller's lengths are changed and returned."""
    rows = np.repeat(np.arange(len(counts)), counts)
    places = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    cache[rows, lengths[rows] + places] = new
    lengths += counts
    return lengths


@mistake("batch_step", hint=2)
def a_jump_counts_as_one(streams, model, cache, jumper, limit):
    """The model is said to have read one token of each request, as if nobody had jumped."""
    waiting = [[] if stream.finish_reason else stream.pending for stream in streams]
    shares = share_step([len(pending) for pending in waiting], limit)
    pieces = [pending[:share] for pending, share in zip(waiting, shares, strict=True)]
    tokens, lengths = ragged_batch(pieces)
    logits = model.forward(tokens, cache, lengths)
    for stream, piece, row in zip(streams, pieces, logits, strict=True):
        stream.computed += min(len(piece), 1)
        if not piece or stream.pending:
            continue
        state, params, remaining = stream.state, stream.params, stream.remaining
        token_id = sample_token(row, stream.token_ids, params, stream.generator, state, remaining)
        state.advance(token_id)
        tail = jump(jumper, state, [*stream.ids, token_id], remaining - 1) or [token_id]
        chosen = logprob_of(row, token_id, 0).logprob if tail[0] == token_id else None
        append_tail(stream, tail, chosen, jumper.tokens)


@mistake("batch_step", hint=3)
def a_logprob_under_the_mask(streams, model, cache, jumper, limit):
    """The logprob is that among the legal tokens, so a forced choice always has 0."""
    waiting = [[] if stream.finish_reason else stream.pending for stream in streams]
    shares = share_step([len(pending) for pending in waiting], limit)
    pieces = [pending[:share] for pending, share in zip(waiting, shares, strict=True)]
    tokens, lengths = ragged_batch(pieces)
    logits = model.forward(tokens, cache, lengths)
    for stream, piece, row in zip(streams, pieces, logits, strict=True):
        stream.computed += len(piece)
        if not piece or stream.pending:
            continue
        state, params, remaining = stream.state, stream.params, stream.remaining
        legal = [*state.allowed_tokens(remaining)]
        token_id = sample_token(row, stream.token_ids, params, stream.generator, state, remaining)
        state.advance(token_id)
        tail = jump(jumper, state, [*stream.ids, token_id], remaining - 1) or [token_id]
        masked = np.full_like(row, -np.inf)
        masked[legal] = row[legal]
        chosen = logprob_of(masked, token_id, 0).logprob if tail[0] == token_id else None
        append_tail(stream, tail, chosen, jumper.tokens)


@mistake("batch_step", hint=3)
def a_new_generator_for_each_token(streams, model, cache, jumper, limit):
    """A generator is made from the seed for every token, so each draw is the first one again."""
    waiting = [[] if stream.finish_reason else stream.pending for stream in streams]
    shares = share_step([len(pending) for pending in waiting], limit)
    pieces = [pending[:share] for pending, share in zip(waiting, shares, strict=True)]
    tokens, lengths = ragged_batch(pieces)
    logits = model.forward(tokens, cache, lengths)
    for stream, piece, row in zip(streams, pieces, logits, strict=True):
        stream.computed += len(piece)
        if not piece or stream.pending:
            continue
        state, params, remaining = stream.state, stream.params, stream.remaining
        generator = np.random.default_rng(params.seed)
        token_id = sample_token(row, stream.token_ids, params, generator, state, remaining)
        state.advance(token_id)
        tail = jump(jumper, state, [*stream.ids, token_id], remaining - 1) or [token_id]
        chosen = logprob_of(row, token_id, 0).logprob if tail[0] == token_id else None
        append_tail(stream, tail, chosen, jumper.tokens)


@mistake("batch_step", hint=3)
def an_answer_of_full_length_is_read(streams, model, cache, jumper, limit):
    """Only who has stopped is left out of a step, so one that ended by length reads its last token."""
    waiting = [[] if stream.finish_reason == "stop" else stream.pending for stream in streams]
    shares = share_step([len(pending) for pending in waiting], limit)
    pieces = [pending[:share] for pending, share in zip(waiting, shares, strict=True)]
    tokens, lengths = ragged_batch(pieces)
    logits = model.forward(tokens, cache, lengths)
    for stream, piece, row in zip(streams, pieces, logits, strict=True):
        stream.computed += len(piece)
        if not piece or stream.pending or stream.finish_reason:
            continue
        state, params, remaining = stream.state, stream.params, stream.remaining
        token_id = sample_token(row, stream.token_ids, params, stream.generator, state, remaining)
        state.advance(token_id)
        tail = jump(jumper, state, [*stream.ids, token_id], remaining - 1) or [token_id]
        chosen = logprob_of(row, token_id, 0).logprob if tail[0] == token_id else None
        append_tail(stream, tail, chosen, jumper.tokens)


@mistake("batch_step", hint=2)
def chosen_in_the_middle_of_a_jump(streams, model, cache, jumper, limit):
    """A token is chosen from the logits after the first piece of a jump."""
    waiting = [[] if stream.finish_reason else stream.pending for stream in streams]
    shares = share_step([len(pending) for pending in waiting], limit)
    pieces = [pending[:share] for pending, share in zip(waiting, shares, strict=True)]
    tokens, lengths = ragged_batch(pieces)
    logits = model.forward(tokens, cache, lengths)
    for stream, piece, row in zip(streams, pieces, logits, strict=True):
        stream.computed += len(piece)
        if not piece:
            continue
        state, params, remaining = stream.state, stream.params, stream.remaining
        token_id = sample_token(row, stream.token_ids, params, stream.generator, state, remaining)
        state.advance(token_id)
        tail = jump(jumper, state, [*stream.ids, token_id], remaining - 1) or [token_id]
        chosen = logprob_of(row, token_id, 0).logprob if tail[0] == token_id else None
        append_tail(stream, tail, chosen, jumper.tokens)


@mistake("batch_step", hint=3)
def finished_requests_are_read(streams, model, cache, jumper, limit):
    """The last token of a request that has finished is read too, for nothing."""
    waiting = [stream.pending for stream in streams]
    shares = share_step([len(pending) for pending in waiting], limit)
    pieces = [pending[:share] for pending, share in zip(waiting, shares, strict=True)]
    tokens, lengths = ragged_batch(pieces)
    logits = model.forward(tokens, cache, lengths)
    for stream, piece, row in zip(streams, pieces, logits, strict=True):
        stream.computed += len(piece)
        if not piece or stream.pending or stream.finish_reason:
            continue
        state, params, remaining = stream.state, stream.params, stream.remaining
        token_id = sample_token(row, stream.token_ids, params, stream.generator, state, remaining)
        state.advance(token_id)
        tail = jump(jumper, state, [*stream.ids, token_id], remaining - 1) or [token_id]
        chosen = logprob_of(row, token_id, 0).logprob if tail[0] == token_id else None
        append_tail(stream, tail, chosen, jumper.tokens)


@mistake("batch_step", hint=1)
def nobody_jumps(streams, model, cache, jumper, limit):
    """Every request decodes one token a step."""
    waiting = [[] if stream.finish_reason else stream.pending for stream in streams]
    shares = share_step([len(pending) for pending in waiting], limit)
    pieces = [pending[:share] for pending, share in zip(waiting, shares, strict=True)]
    tokens, lengths = ragged_batch(pieces)
    logits = model.forward(tokens, cache, lengths)
    for stream, piece, row in zip(streams, pieces, logits, strict=True):
        stream.computed += len(piece)
        if not piece or stream.pending:
            continue
        state, params, remaining = stream.state, stream.params, stream.remaining
        token_id = sample_token(row, stream.token_ids, params, stream.generator, state, remaining)
        state.advance(token_id)
        tail = [token_id]
        chosen = logprob_of(row, token_id, 0).logprob if tail[0] == token_id else None
        append_tail(stream, tail, chosen, jumper.tokens)


@mistake("batch_step", hint=1)
def shares_are_not_asked_for(streams, model, cache, jumper, limit):
    """Everybody reads all that is pending, whatever the limit of a step."""
    waiting = [[] if stream.finish_reason else stream.pending for stream in streams]
    shares = share_step([len(pending) for pending in waiting], limit)
    pieces = [pending for pending, share in zip(waiting, shares, strict=True)]
    tokens, lengths = ragged_batch(pieces)
    logits = model.forward(tokens, cache, lengths)
    for stream, piece, row in zip(streams, pieces, logits, strict=True):
        stream.computed += len(piece)
        if not piece or stream.pending:
            continue
        state, params, remaining = stream.state, stream.params, stream.remaining
        token_id = sample_token(row, stream.token_ids, params, stream.generator, state, remaining)
        state.advance(token_id)
        tail = jump(jumper, state, [*stream.ids, token_id], remaining - 1) or [token_id]
        chosen = logprob_of(row, token_id, 0).logprob if tail[0] == token_id else None
        append_tail(stream, tail, chosen, jumper.tokens)


@mistake("batch_step", hint=3)
def the_first_token_was_always_chosen(streams, model, cache, jumper, limit):
    """A token that the tail has written otherwise keeps the logprob of the sampled one."""
    waiting = [[] if stream.finish_reason else stream.pending for stream in streams]
    shares = share_step([len(pending) for pending in waiting], limit)
    pieces = [pending[:share] for pending, share in zip(waiting, shares, strict=True)]
    tokens, lengths = ragged_batch(pieces)
    logits = model.forward(tokens, cache, lengths)
    for stream, piece, row in zip(streams, pieces, logits, strict=True):
        stream.computed += len(piece)
        if not piece or stream.pending:
            continue
        state, params, remaining = stream.state, stream.params, stream.remaining
        token_id = sample_token(row, stream.token_ids, params, stream.generator, state, remaining)
        state.advance(token_id)
        tail = jump(jumper, state, [*stream.ids, token_id], remaining - 1) or [token_id]
        chosen = logprob_of(row, token_id, 0).logprob
        append_tail(stream, tail, chosen, jumper.tokens)


@mistake("batch_step", hint=3)
def the_last_token_is_not_written_yet(streams, model, cache, jumper, limit):
    """The jump does not hear of the token that was just chosen."""
    waiting = [[] if stream.finish_reason else stream.pending for stream in streams]
    shares = share_step([len(pending) for pending in waiting], limit)
    pieces = [pending[:share] for pending, share in zip(waiting, shares, strict=True)]
    tokens, lengths = ragged_batch(pieces)
    logits = model.forward(tokens, cache, lengths)
    for stream, piece, row in zip(streams, pieces, logits, strict=True):
        stream.computed += len(piece)
        if not piece or stream.pending:
            continue
        state, params, remaining = stream.state, stream.params, stream.remaining
        token_id = sample_token(row, stream.token_ids, params, stream.generator, state, remaining)
        state.advance(token_id)
        tail = jump(jumper, state, stream.ids, remaining - 1)
        tail = [token_id, *tail]
        chosen = logprob_of(row, token_id, 0).logprob if tail[0] == token_id else None
        append_tail(stream, tail, chosen, jumper.tokens)


@mistake("batch_step", hint=2)
def the_penalty_sees_the_prompt(streams, model, cache, jumper, limit):
    """The repetition penalty sees the prompt and nothing of the answer."""
    waiting = [[] if stream.finish_reason else stream.pending for stream in streams]
    shares = share_step([len(pending) for pending in waiting], limit)
    pieces = [pending[:share] for pending, share in zip(waiting, shares, strict=True)]
    tokens, lengths = ragged_batch(pieces)
    logits = model.forward(tokens, cache, lengths)
    for stream, piece, row in zip(streams, pieces, logits, strict=True):
        stream.computed += len(piece)
        if not piece or stream.pending:
            continue
        state, params, remaining = stream.state, stream.params, stream.remaining
        token_id = sample_token(row, stream.prompt_ids, params, stream.generator, state, remaining)
        state.advance(token_id)
        tail = jump(jumper, state, [*stream.ids, token_id], remaining - 1) or [token_id]
        chosen = logprob_of(row, token_id, 0).logprob if tail[0] == token_id else None
        append_tail(stream, tail, chosen, jumper.tokens)


@mistake("batch_step", hint=2)
def the_penalty_sees_what_was_chosen(streams, model, cache, jumper, limit):
    """The repetition penalty does not see forced tokens."""
    waiting = [[] if stream.finish_reason else stream.pending for stream in streams]
    shares = share_step([len(pending) for pending in waiting], limit)
    pieces = [pending[:share] for pending, share in zip(waiting, shares, strict=True)]
    tokens, lengths = ragged_batch(pieces)
    logits = model.forward(tokens, cache, lengths)
    for stream, piece, row in zip(streams, pieces, logits, strict=True):
        stream.computed += len(piece)
        if not piece or stream.pending:
            continue
        state, params, remaining = stream.state, stream.params, stream.remaining
        seen = [i for i, each in zip(stream.ids, stream.logprobs, strict=True) if each is not None]
        token_id = sample_token(row, [*stream.prompt_ids, *seen], params, stream.generator, state, remaining)
        state.advance(token_id)
        tail = jump(jumper, state, [*stream.ids, token_id], remaining - 1) or [token_id]
        chosen = logprob_of(row, token_id, 0).logprob if tail[0] == token_id else None
        append_tail(stream, tail, chosen, jumper.tokens)


@mistake("batch_step", hint=3)
def the_sampled_token_remains(streams, model, cache, jumper, limit):
    """The jump is allowed one token more than remains."""
    waiting = [[] if stream.finish_reason else stream.pending for stream in streams]
    shares = share_step([len(pending) for pending in waiting], limit)
    pieces = [pending[:share] for pending, share in zip(waiting, shares, strict=True)]
    tokens, lengths = ragged_batch(pieces)
    logits = model.forward(tokens, cache, lengths)
    for stream, piece, row in zip(streams, pieces, logits, strict=True):
        stream.computed += len(piece)
        if not piece or stream.pending:
            continue
        state, params, remaining = stream.state, stream.params, stream.remaining
        token_id = sample_token(row, stream.token_ids, params, stream.generator, state, remaining)
        state.advance(token_id)
        tail = jump(jumper, state, [*stream.ids, token_id], remaining) or [token_id]
        chosen = logprob_of(row, token_id, 0).logprob if tail[0] == token_id else None
        append_tail(stream, tail, chosen, jumper.tokens)


@mistake("expected_speedup", hint=3)
def any_number_is_a_share(forced, cost_ratio):
    """Shares below 0 and above 1 get an answer."""
    time = 1 - forced + forced * cost_ratio
    return 1 / time if time else np.inf


@mistake("expected_speedup", hint=2)
def forced_tokens_are_free(forced, cost_ratio):
    """What is forced is taken to cost nothing."""
    if not 0 <= forced <= 1 or not cost_ratio >= 0:
        raise ValueError(f"a share of {forced} and a cost of {cost_ratio}: 0 to 1, and 0 or more")
    time = 1 - forced
    return 1 / time if time else np.inf


@mistake("expected_speedup", hint=3)
def nan_is_a_share(forced, cost_ratio):
    """NaN lies outside no range that is tested for what is too small and too large."""
    if forced < 0 or forced > 1 or cost_ratio < 0:
        raise ValueError(f"a share of {forced} and a cost of {cost_ratio}: 0 to 1, and 0 or more")
    time = 1 - forced + forced * cost_ratio
    return 1 / time if time else np.inf


@mistake("expected_speedup", hint=2)
def percent_saved_is_percent_faster(forced, cost_ratio):
    """Forty percent fewer passes are called 1.4 times faster."""
    if not 0 <= forced <= 1 or not cost_ratio >= 0:
        raise ValueError(f"a share of {forced} and a cost of {cost_ratio}: 0 to 1, and 0 or more")
    return 1 + forced * (1 - cost_ratio)


@mistake("expected_speedup", hint=3)
def the_share_of_time(forced, cost_ratio):
    """The time that is left is returned, and not how many times faster that is."""
    if not 0 <= forced <= 1 or not cost_ratio >= 0:
        raise ValueError(f"a share of {forced} and a cost of {cost_ratio}: 0 to 1, and 0 or more")
    time = 1 - forced + forced * cost_ratio
    return time
