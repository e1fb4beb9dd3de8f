"""What ``python3 -m course show 05`` plays: a token is allowed only if the rest of the budget suffices after it."""

from collections.abc import Iterator
from functools import cached_property, partial, reduce

import numpy as np
from numpy.typing import NDArray

from labkit.automata import Fsm
from labkit.errors import BudgetTooSmall
from labkit.pictures import Lane, Moment, Svg, timeline_svg
from labkit.scenes import CharacterOracle, Mask, Oracle, PreparedSteps, Scene, Steps, check_expression, has_reference
from labkit.scenes.endings import DecodedAnswer, Ending, Function, Line, MakeSteps, Masks, answer, beside, matches


class Budgeted(PreparedSteps):
    """Lab 04's steps, and what the budget takes away."""

    @cached_property
    def distances(self) -> NDArray[np.float64] | None:
        """For each state the fewest tokens to an accepting one; None until ``tokens_to_accept`` is written."""
        shape = (len(self.table),)
        try:
            return self.array("tokens_to_accept", np.float64, shape, self.table, self.fsm.accepting)
        except NotImplementedError:
            self.reason([])  # a file in which nothing is written stops here
            self.remark = "lab 04's masks, until tokens_to_accept is written"
            return None

    def reason(self, ids: list[int]) -> str:
        """Return why an answer of these tokens ended."""
        return self.typed("finish_reason", str, ids, self.vocabulary.eos_id)

    def distance(self, state: int) -> float | None:
        """Return that of this state."""
        return None if self.distances is None else float(self.distances[state])

    def affordable(self, state: int, legal: Mask, remaining: int) -> Mask:
        """Return the budget's mask."""
        if self.distances is None:
            return legal
        given = (legal.copy(), self.table[state], self.distances, remaining)
        return self.array("budget_row", np.bool_, (self.size,), *given)


def oracle(scene: Scene) -> Oracle:
    """Return lab 02's automaton as a judge, if a match fits into the budget.

    Raises:
        BudgetTooSmall: if none does, where this copy has the references that know it.
    """
    from labs.lab_02_atom_fsm.solution import compile_pattern

    check_expression(scene.grammar)
    fsm = compile_pattern(scene.grammar)
    if has_reference("lab_03_token_lifting") and has_reference("lab_05_truncation"):
        _check_budget(scene, fsm)
    return CharacterOracle(fsm, scene.vocabulary)


def _check_budget(scene: Scene, fsm: Fsm) -> None:
    from labs.lab_03_token_lifting.solution import states_to_vocab
    from labs.lab_05_truncation.solution import tokens_to_accept

    table = states_to_vocab(fsm, scene.vocabulary.texts())
    needed = float(tokens_to_accept(table, fsm.accepting)[fsm.initial]) + 1
    if needed > scene.max_tokens:
        raise BudgetTooSmall(scene.max_tokens, needed)


def ending(make_steps: MakeSteps, function: Function) -> Iterator[Line | Svg]:
    """Write a sentence in a few tokens: without a mask, under the mask alone, and under the budget's."""
    steps, prompt, pattern = make_steps("[A-Z][a-z ]+\\."), "Tell me a sentence.", "[A-Z][a-z ]+\\."
    ask = partial(answer, prompt, max_tokens=SHORT)
    plain = ask(Masks(steps))
    yield from beside(prompt, ask(), plain, matches(pattern))
    assert isinstance(steps, Budgeted)
    if steps.distances is None:
        ids = [*plain.ids, *[steps.vocabulary.eos_id] * plain.ended]
        yield f"{len(ids)} tokens were written, and your finish_reason is {steps.reason(ids)!r}", None
        return
    kept = ask(Masks(steps), budget=True)
    *_, last = beside(prompt, kept, kept, matches(pattern), "budget")
    yield last
    state = reduce(steps.step, kept.ids[:-1], steps.initial())
    left = np.flatnonzero(steps.affordable(state, steps.legal(state), SHORT - len(kept.ids) + 1))
    tokens = ", ".join(repr(steps.texts[token_id]) for token_id in left)
    yield f"{SHORT} tokens at most, EOS included: after {len(kept.ids) - 1} the budget left only {tokens}", None
    lanes = [_lane("by the grammar alone", steps, plain), _lane("within the budget", steps, kept)]
    yield timeline_svg(lanes, title="Tokens, and how many more there may be")


def _lane(name: str, steps: Steps, written: DecodedAnswer) -> Lane:
    """Return an answer's tokens as a lane, each with the tokens that are left before it."""
    tokens = [*(repr(steps.texts[token_id]) for token_id in written.ids), *["EOS"] * written.ended]
    moments = [Moment(token, f"{SHORT - place} left", strong=token == "EOS") for place, token in enumerate(tokens)]
    return Lane(name, moments, "" if written.ended else "cut off")


SHORT = 12


SCENE = Scene(
    Budgeted,
    oracle,
    judged_by=("lab_02_atom_fsm",),
    grammar=r"[0-9]+\.[0-9]+",
    model_name="digits",
    has_budget=True,
    ending=Ending("masks that keep enough tokens to finish", ending),
)
