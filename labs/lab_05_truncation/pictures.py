"""The pictures of lab 05's README: each public function draws the one of its name."""

from labkit.models import digit_lover
from labkit.pictures import Lane, Moment, Svg, fsm_svg, in_turn, timeline_svg
from labkit.vocabulary import Vocabulary
from labs.lab_04_eos_gating.solution import constrained_generate, mask_row, prepare
from labs.lab_05_truncation import solution

_PATTERN = r"[0-9]+\.[0-9]+"


def tokens_to_accept() -> Svg:
    """Draw the table of distances, on the automaton of a fraction over the toy vocabulary."""
    fsm, table = prepare(_PATTERN, Vocabulary.toy())
    notes = {state: f"{far:g}" for state, far in enumerate(solution.tokens_to_accept(table, fsm.accepting))}
    return fsm_svg(fsm, notes=notes, title=f"{_PATTERN} with its tokens to accept")


def budget_timeline() -> Svg:
    """Draw the digit lover twice, with a budget of five tokens: cut, and on time."""
    drawn = timeline_svg(
        [
            _lane("lab 04's mask", is_cut=True),
            _lane("the budget mask", is_cut=False),
        ],
        title="At most 5 tokens: cut, and on time (broken frames: what the budget took away)",
    )
    tokens = [(f".moment:nth-of-type({number})", 0.3 + 0.7 * number) for number in range(1, 6)]
    return in_turn(drawn, [*tokens, (".lane > text:last-child", 4.5)])


def _lane(name: str, *, is_cut: bool) -> Lane:
    """Return one run of the digit lover over the toy vocabulary; what the budget took away is in broken frames."""
    budget, vocabulary = 5, Vocabulary.toy()
    fsm, table = prepare(_PATTERN, vocabulary)
    distance = solution.tokens_to_accept(table, fsm.accepting)
    generate = constrained_generate if is_cut else solution.generate_within
    ids = generate(digit_lover(vocabulary), fsm, table, vocabulary, budget)
    names, state, moments = [text or "EOS" for text in vocabulary.texts()], fsm.initial, list[Moment]()
    for left, token_id in zip(range(budget, 0, -1), ids, strict=False):
        allowed = mask_row(fsm, table, state, vocabulary)
        kept = allowed if is_cut else solution.budget_row(allowed, table[state], distance, left)
        refused = [names[i] for i in range(len(allowed)) if allowed[i] and not kept[i]]
        first = bool(refused) and not any(moment.refused for moment in moments)
        moments.append(Moment(names[token_id], f"{left} left", refused, strong=first))
        state = table[state].get(token_id, state)
    return Lane(name, moments, f"{vocabulary.decode(ids)} ({solution.finish_reason(ids, vocabulary.eos_id)})")
