"""The course's own prompts, answered by the small model without a mask and with a student's."""

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.scenes.prompted import small_model
from labkit.scenes.scene import Scene
from labkit.scenes.steps import Steps
from labkit.small_model.generation import Generator, Request
from labkit.small_model.tasks.forms import Form, JsonForm, TextForm
from labkit.small_model.tasks.judging import judge
from labkit.small_model.tasks.records import order
from labkit.small_model.tasks.strings import colour
from labkit.small_model.tokenizer import Tokenizer
from labkit.vocabulary import Vocabulary

COLOUR = "#" + 6 * "[0-9a-f]"
"""The form of a colour as lab 02 can say it, so that every lab's mask is asked for the same."""

MAX_TOKENS = 64
"""The most tokens of an answer, EOS included."""

_SEED = 11
_COLOURS, _ORDERS = 24, 12

Guard = Callable[[str], AbstractContextManager[None]]
"""What calls of the student's code are made in; it is told what for."""


@dataclass(frozen=True)
class Written:
    """An answer: its text, how many tokens it took, and whether it has the form that was asked for."""

    text: str
    n_tokens: int
    valid: bool


@dataclass(frozen=True)
class Pair:
    """A prompt's answers without a mask and with one."""

    prompt: str
    free: Written
    masked: Written


@dataclass(frozen=True)
class Masks:
    """A student's masks, as the model's generator asks for them.

    Where a mask leaves nothing, EOS is allowed: labs 01 to 03 do not know EOS, and end there.
    """

    steps: Steps
    guard: Guard = lambda what: nullcontext()

    @property
    def initial(self) -> Any:
        """The state before the first token."""
        with self.guard("the automaton"):
            return self.steps.initial()

    def mask(self, state: Any, remaining: int | None = None) -> NDArray[np.int32]:
        """Return the tokens that may come next as a bitmask: ``int32[ceil(V / 32)]``."""
        allowed = np.zeros(-(-self.steps.size // 32) * 32, dtype=np.bool_)
        if state is not None:
            with self.guard("the mask"):
                legal = self.steps.legal(state)
                kept = legal if remaining is None else self.steps.affordable(state, legal, remaining)
                allowed[: self.steps.size] = kept
        allowed[self.steps.vocabulary.eos_id] |= not allowed.any()
        return np.packbits(allowed, bitorder="little").view("<i4").astype(np.int32)

    def advance(self, state: Any, token_id: int) -> Any:
        """Return the state after a token; None where the automaton is dead."""
        if token_id == self.steps.vocabulary.eos_id:
            return state
        with self.guard("the next state"):
            return self.steps.step(state, token_id)


def _grammar_of(form: Form | None) -> str:
    """Return the grammar of a form. Lab 08's first sitting allows no other keys than those named, and cannot say so."""
    if isinstance(form, TextForm):
        return form.pattern
    assert isinstance(form, JsonForm)
    return json.dumps({key: value for key, value in form.schema.items() if key != "additionalProperties"})


def form_of(scene: Scene) -> Form:
    """Return the form that a scene's grammar asks for."""
    return TextForm(scene.grammar) if scene.kind == "pattern" else JsonForm(json.loads(scene.grammar))


def saved(pairs: Sequence[Pair]) -> list[str]:
    """Return in words how many answers and tokens the masks saved.

    >>> pairs = [Pair("Hex code of red?", Written("red", 2, valid=False), Written("#ff0000", 5, valid=True))]
    >>> print(*saved(pairs), sep="\\n")
    1 prompt, answered by the model early in its training, such as:
    Hex code of red?
    valid answers: 0 without the mask, 1 with it; 1 saved
    tokens of answers that are not valid: 2 without it, 0 with it; 2 saved
    """
    both = [[pair.free for pair in pairs], [pair.masked for pair in pairs]]
    valid = [sum(answer.valid for answer in answers) for answers in both]
    lost = [sum(answer.n_tokens for answer in answers if not answer.valid) for answers in both]
    return [
        f"{len(pairs)} prompt{'s' * (len(pairs) != 1)}, answered by the model early in its training, such as:",
        pairs[0].prompt,
        f"valid answers: {valid[0]} without the mask, {valid[1]} with it; {valid[1] - valid[0]} saved",
        f"tokens of answers that are not valid: {lost[0]} without it, {lost[1]} with it; {lost[0] - lost[1]} saved",
    ]


def answer_both(scene: Scene, make_steps: Callable[[str], Steps], guard: Guard) -> list[Pair]:
    """Answer the course's prompts with the early checkpoint, freely and under the masks of a lab.

    Labs of patterns are asked for 24 colours, labs of schemas for 12 orders in JSON.

    Args:
        scene: the lab's own.
        make_steps: returns the steps of a grammar, over the small model's vocabulary.
        guard: see ``Guard``; what it raises is raised.
    """
    rng, tokenizer, vocabulary = Random(_SEED), Tokenizer.load(), Vocabulary.small()
    if scene.kind == "pattern":
        examples = [replace(colour(rng), form=TextForm(COLOUR)) for _ in range(_COLOURS)]
    else:
        examples = [order(rng) for _ in range(_ORDERS)]
    masks: dict[str, Masks] = {}
    free, masked = [], []
    for seed, example in enumerate(examples):
        grammar = _grammar_of(example.form)
        if grammar not in masks:
            masks[grammar] = Masks(make_steps(grammar), guard)
        free.append(Request(tokenizer.prompt(example.prompt), MAX_TOKENS, seed=seed))
        masked.append(replace(free[-1], constraint=masks[grammar], within_budget=scene.has_budget))
    generator = Generator(small_model("early"), vocabulary)

    def written(requests: Sequence[Request]) -> list[Written]:
        found = []
        for example, answer in zip(examples, generator.answer(requests), strict=True):
            text = tokenizer.decode(answer.ids, special=True)
            assert example.form is not None
            valid = judge(example.form, text).valid
            found.append(Written(text, len(answer.ids) + (answer.finish_reason == "stop"), valid))
        return found

    both = zip(examples, written(free), written(masked), strict=True)
    return [Pair(example.prompt, *answers) for example, *answers in both]
