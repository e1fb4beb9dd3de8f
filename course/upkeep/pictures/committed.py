"""The pictures in the labs' READMEs: made from the references, committed, and compared by a test."""

from collections.abc import Callable, Iterator
from pathlib import Path

from course.student.core.catalog import ROOT
from course.upkeep.pictures import bitmasks, byte_automata, regexes, schemas
from labkit.automata import Fsm, decimal_fsm
from labkit.pictures import Lane, Moment, Step, Svg, fsm_svg, mask_svg, steps_svg, timeline_svg

_DIGITS = "0123456789"


def seven_steps() -> Svg:
    """Lab 01's loop on the four tokens, with the numbers u of seed 12349."""
    import numpy as np

    from labs.lab_01_naive_matching.solution import build_mask, could_match, sample, softmax

    tokens = ["a", ".", ".2", "1"]
    text, steps = "", []
    for u in np.random.RandomState(12349).random_sample(7):
        allowed = build_mask(tokens, text, lambda candidate: could_match(r"([0-9]+)?\.[0-9]+", candidate))
        probs = softmax(np.where(allowed, 1.0, -np.inf))
        steps.append(Step(text, probs.tolist(), sample(probs, u)))
        text += tokens[steps[-1].chosen]
    return steps_svg(tokens, steps, title="Seven steps: each token makes a candidate, and the dead ones are refused")


def hex_automaton() -> Svg:
    """Lab 02's first automaton, and a walk through it."""
    from labs.lab_02_atom_fsm.solution import compile_pattern

    return fsm_svg(compile_pattern("0x[0-9a-f]+"), path=[0, 1, 2], highlight=2, title="0x[0-9a-f]+ after the token 0x")


def two_transitions() -> Svg:
    """The automaton that ``[0-9]+[0-9]`` would need; it is drawn by hand, for lab 02 refuses it."""
    automaton = Fsm((dict.fromkeys(_DIGITS, 1), dict.fromkeys(_DIGITS, 2), {}), initial=0, accepting=frozenset({2}))
    return fsm_svg(automaton, clash={(1, 1): _DIGITS}, title="[0-9]+[0-9]: in state 1, a digit leads to two states")


def decimal_walk() -> Svg:
    """Lab 03's automaton, and what the token ``.21`` traverses."""
    return fsm_svg(decimal_fsm(), path=[0, 2, 3, 3], highlight=3, title=r"([0-9]+)?\.[0-9]+ and the token .21")


def trie_walk() -> Svg:
    """Lab 03's trie of nine tokens, drawn as the automaton that it is, and the walk from state 0 over it."""
    from labs.lab_03_token_lifting.solution import build_trie

    trie = build_trie(["a", ".", ".2", "1", "ab", ".21", "..", "1.", "1a"])
    notes, waiting = {0: "0"}, [(0, 0)]
    while waiting:
        node, state = waiting.pop()
        for char, below in trie.children[node].items():
            target = decimal_fsm().transitions[state].get(char)
            notes[below] = "dead" if target is None else str(target)
            waiting += [] if target is None else [(below, target)]
    ends = frozenset(node for node, ids in enumerate(trie.ids) if ids)
    return fsm_svg(Fsm(tuple(trie.children), 0, ends), notes=notes, title="A trie of nine tokens, walked from state 0")


def number_automaton() -> Svg:
    """The automaton of lab 04's example, which lab 02's language cannot write."""
    return fsm_svg(decimal_fsm(), title=r"([0-9]+)?\.[0-9]+: one state accepts")


def mask_rows() -> Svg:
    """Its mask rows over the toy vocabulary, EOS in a column of its own."""
    from labkit.vocabulary import Vocabulary
    from labs.lab_03_token_lifting.solution import states_to_vocab
    from labs.lab_04_eos_gating import solution as lab_04

    vocabulary, fsm = Vocabulary.toy(), decimal_fsm()
    rows = lab_04.mask_rows(fsm, states_to_vocab(fsm, vocabulary.texts()), vocabulary)
    names = [f"state {state}{', accepts' * (state in fsm.accepting)}" for state in range(len(fsm))]
    tokens = [text or "EOS" for text in vocabulary.texts()]
    return mask_svg(rows.tolist(), tokens, names=names, strong=vocabulary.eos_id, title="The mask rows of four states")


def tokens_to_accept() -> Svg:
    """Lab 05's table of distances, on the automaton of a fraction over the toy vocabulary."""
    from labkit.vocabulary import Vocabulary
    from labs.lab_04_eos_gating.solution import prepare
    from labs.lab_05_truncation import solution as lab_05

    fsm, table = prepare(r"[0-9]+\.[0-9]+", Vocabulary.toy())
    notes = {state: f"{far:g}" for state, far in enumerate(lab_05.tokens_to_accept(table, fsm.accepting))}
    return fsm_svg(fsm, notes=notes, title=r"[0-9]+\.[0-9]+ with its tokens to accept")


def budget_timeline() -> Svg:
    """The digit lover of lab 05, cut at six tokens, and on time with five."""
    return timeline_svg(
        [_digit_lover("lab 04's mask, at most 6 tokens", 6), _digit_lover("the budget mask, at most 5 tokens", 5)],
        title="Cut, and on time (broken frames: what the budget took away)",
    )


def _digit_lover(name: str, budget: int) -> Lane:
    """One run of it over the toy vocabulary; what the budget took away stands in broken frames."""
    from labkit.models import digit_lover
    from labkit.vocabulary import Vocabulary
    from labs.lab_04_eos_gating.solution import constrained_generate, mask_row, prepare
    from labs.lab_05_truncation import solution as lab_05

    vocabulary = Vocabulary.toy()
    fsm, table = prepare(r"[0-9]+\.[0-9]+", vocabulary)
    distance = lab_05.tokens_to_accept(table, fsm.accepting)
    generate = lab_05.generate_within if name.startswith("the budget") else constrained_generate
    ids = generate(digit_lover(vocabulary), fsm, table, vocabulary, budget)
    names, state, moments = [text or "EOS" for text in vocabulary.texts()], fsm.initial, list[Moment]()
    for left, token_id in zip(range(budget, 0, -1), ids, strict=False):
        row = mask_row(fsm, table, state, vocabulary)
        kept = lab_05.budget_row(row, table[state], distance, left) if generate is lab_05.generate_within else row
        refused = [names[i] for i in range(len(row)) if row[i] and not kept[i]]
        first = bool(refused) and not any(moment.refused for moment in moments)
        moments.append(Moment(names[token_id], f"{left} left", refused, strong=first))
        state = table[state].get(token_id, state)
    return Lane(name, moments, f"{vocabulary.decode(ids)} ({lab_05.finish_reason(ids, vocabulary.eos_id)})")


PICTURES: dict[str, Callable[[], Svg]] = {
    "labs/lab_01_naive_matching/pictures/seven_steps.svg": seven_steps,
    "labs/lab_02_atom_fsm/pictures/hex_automaton.svg": hex_automaton,
    "labs/lab_02_atom_fsm/pictures/two_transitions.svg": two_transitions,
    "labs/lab_03_token_lifting/pictures/decimal_walk.svg": decimal_walk,
    "labs/lab_03_token_lifting/pictures/trie_walk.svg": trie_walk,
    "labs/lab_04_eos_gating/pictures/number_automaton.svg": number_automaton,
    "labs/lab_04_eos_gating/pictures/mask_rows.svg": mask_rows,
    "labs/lab_05_truncation/pictures/tokens_to_accept.svg": tokens_to_accept,
    "labs/lab_05_truncation/pictures/budget_timeline.svg": budget_timeline,
    **regexes.PICTURES,
    **byte_automata.PICTURES,
    **schemas.PICTURES,
    **bitmasks.PICTURES,
}
"""Each committed picture, by its path from the repository's root, and what draws it."""


def generated() -> Iterator[tuple[Path, Callable[[], str]]]:
    """Every picture's file, and what makes its text."""
    for name, draw in PICTURES.items():
        yield ROOT / name, lambda draw=draw: str(draw())  # type: ignore[misc]


def write_all() -> None:
    """Draw them all again."""
    for path, make in generated():
        path.parent.mkdir(exist_ok=True)
        path.write_text(make(), encoding="utf-8", newline="\n")
