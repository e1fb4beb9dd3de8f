"""Answers of the small model to many prompts, free and under masks, each with the judge's verdict."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from course.showcase.small_model.guides import guide_for
from course.showcase.small_model.modes import RAN_OUT
from labkit.errors import TokenNotAllowed
from labkit.small_model.generation import Answer, Generator, Request
from labkit.small_model.tasks import Example
from labkit.small_model.tasks.forms import Form, WrappedForm
from labkit.small_model.tasks.judging import Verdict, judge, says_the_same
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import SmallModel

MAX_TOKENS = 128
"""The most tokens an answer may have, EOS included: about twice the longest of the usual ones."""


@dataclass(frozen=True)
class Outcome:
    """One answer to one prompt.

    Attributes:
        text: the answer, with the names of special tokens in it.
        why: nothing where it is valid; else a reason of the judge's, or ``RAN_OUT``.
        right: whether it is valid and says what the prompt says.
    """

    example: Example
    mode: str
    ids: tuple[int, ...]
    text: str
    why: str
    right: bool

    @property
    def valid(self) -> bool:
        """Whether the answer has the form that was asked for."""
        return not self.why


def generator(checkpoint: str = "final", batch: int = 32) -> Generator:
    """The model of a checkpoint with its vocabulary."""
    return Generator(SmallModel.load(checkpoint), Tokenizer.load().vocabulary, batch)


def request_for(example: Example, mode: str, seed: int, temperature: float = 1.0) -> Request:
    """The request that an example makes in one of the modes."""
    tokenizer, form = Tokenizer.load(), example.form
    if mode == "free" or form is None:
        return Request(tokenizer.prompt(example.prompt), MAX_TOKENS, seed=seed, temperature=temperature)
    return Request(
        tokenizer.prompt(example.prompt),
        MAX_TOKENS,
        constraint=guide_for(form),
        within_budget=mode == "budget",
        forced=forced_ids(form),
        seed=seed,
        temperature=temperature,
    )


def forced_ids(form: Form) -> list[int]:
    """The special token that has to come first, which no mask over text can write."""
    return [Tokenizer.load().special_ids[form.special]] if isinstance(form, WrappedForm) and form.special else []


def outcomes(
    examples: Sequence[Example],
    mode: str,
    generator: Generator,
    *,
    seed: int = 0,
    temperature: float = 1.0,
    prepared: Callable[[], object] = lambda: None,
) -> list[Outcome]:
    """Answer and judge; request i has the seed ``seed + i`` in every mode.

    Args:
        prepared: called as each request is ready, its guide compiled.
    """
    requests = []
    for number, example in enumerate(examples):
        requests.append(request_for(example, mode, seed + number, temperature))
        prepared()
    answers = generator.answer(requests)
    return [_judged(example, mode, answer) for example, answer in zip(examples, answers, strict=True)]


def _judged(example: Example, mode: str, answer: Answer) -> Outcome:
    text = Tokenizer.load().decode(answer.ids, special=True)
    form = example.form
    verdict = judge(form, text) if form else Verdict(True)
    why = RAN_OUT if answer.finish_reason == "length" and not verdict.valid else verdict.why
    right = verdict.valid and form is not None and says_the_same(form, text, example.answer)
    return Outcome(example, mode, answer.ids, text, why, right)


def broke_at(outcome: Outcome) -> tuple[str, str]:
    """An answer cut in two at the first token that the mask forbids; an empty second part where none is forbidden."""
    form, tokenizer = outcome.example.form, Tokenizer.load()
    if form is None:
        return outcome.text, ""
    forced, guide = forced_ids(form), guide_for(form)
    good, state = len(forced) if list(outcome.ids[: len(forced)]) == forced else -1, guide.initial
    if good < 0:
        return "", outcome.text
    for token_id in outcome.ids[good:]:
        try:
            state = guide.advance(state, token_id)
        except TokenNotAllowed:
            break
        good += 1
    return tokenizer.decode(outcome.ids[:good], special=True), tokenizer.decode(outcome.ids[good:], special=True)
