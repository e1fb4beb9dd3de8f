"""The small model's prompts in the demo, found by answering many, and its answers to them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from course.showcase.demo.forms import in_words
from course.showcase.demo.results import SEARCHED, Pair, Said
from course.showcase.demo.screen import Audience, Tell
from course.showcase.demo.telling import teller
from course.showcase.small_model.modes import RAN_OUT
from course.showcase.small_model.outcomes import Outcome, broke_at, generator, outcomes, request_for
from labkit.small_model.generation import Answer, Generator
from labkit.small_model.tasks import MEASURED, examples
from labkit.small_model.tasks.forms import Example, TextForm
from labkit.small_model.tasks.judging import Verdict, judge, says_the_same
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.weights import BadWeights

SEED = 1_000
"""Of the demo's sampling."""

PROMPTS_SEED = 2_001_003
"""Of its prompts: neither the training nor the shipped figures used these."""

CHECKPOINTS = ("final", "early")

_FIRST, _BATCH = 8, 32
"""Prompts answered at a time in the search for answers that broke: at first few, for somebody waits."""

_BROKEN = 3
"""Broken answers that are shown of the first checkpoint: each for another reason. What it lacks the next one adds."""


@dataclass(frozen=True)
class Question:
    """A prompt whose free answer is known to be worth a look."""

    checkpoint: str
    example: Example
    seed: int
    why: str


def prompts(n: int) -> list[Example]:
    """The first of the demo's prompts.

    >>> prompts(2) == prompts(3)[:2]
    True
    """
    return list(islice(examples(PROMPTS_SEED, MEASURED), n))


def generators() -> tuple[dict[str, Generator], list[str]]:
    """The checkpoints that can be loaded, and for each of the others what is wrong with its file."""
    found, problems = {}, []
    for checkpoint in CHECKPOINTS:
        try:
            found[checkpoint] = generator(checkpoint)
        except BadWeights as error:
            problems.append(str(error))
    return found, problems


def questions(ready: dict[str, Generator]) -> Iterator[Question]:
    """What is shown: of the first checkpoint an answer that is fine and some that broke, of the next at least one.

    Each as soon as it is known, so that nobody waits for the first.
    """
    shown: list[str] = []
    for place, (checkpoint, model) in enumerate(ready.items()):
        broken = max(1, _BROKEN - len(shown))
        for question in _first_of_each(checkpoint, model, fine=not place, broken=broken, shown=tuple(shown)):
            shown += [question.why] * bool(question.why)
            yield question


def _first_of_each(
    checkpoint: str, model: Generator, *, fine: bool, broken: int, shown: Sequence[str]
) -> Iterator[Question]:
    """The first answer that is fine, if one is wanted, and the first that broke for each of so many reasons.

    Reasons that were shown before come only where there is no other.
    """
    first: dict[str, Question] = {}
    for question in _answered(checkpoint, model):
        if fine and not question.why and "" not in first:
            yield question
        first.setdefault(question.why, question)
        new = [why for why in first if why and why not in shown]
        if len(new) >= broken and ("" in first or not fine):
            break
    failed = sorted((why for why in first if why), key=lambda why: why in shown)
    yield from (first[why] for why in failed[:broken])


def _answered(checkpoint: str, model: Generator) -> Iterator[Question]:
    """Prompts in their order with what became of a free answer, batch by batch."""
    drawn = prompts(SEARCHED)
    for start, end in pairwise([0, _FIRST, *range(_BATCH, SEARCHED + 1, _BATCH)]):
        answered = outcomes(drawn[start:end], "free", model, seed=SEED + start)
        for number, outcome in enumerate(answered, SEED + start):
            # The answer that is shown as fine is also right.
            if outcome.why or outcome.right:
                yield Question(checkpoint, outcome.example, number, outcome.why)


def ask(question: Question, model: Generator, audience: Audience) -> Pair:
    """Have a question answered while somebody watches: free, and under the mask within the budget, side by side."""
    example, checkpoint = question.example, question.checkpoint
    requests = [request_for(example, mode, question.seed) for mode in ("free", "budget")]

    def play(tell: Tell) -> Pair:
        written = [list(request.forced) for request in requests]
        answers = replace(model, on_token=teller(written, tell)).answer(requests)
        free, masked = (said(example, answer) for answer in answers)
        return Pair(checkpoint, example.prompt, asked, free, masked)

    asked = in_words(example.form)
    return audience.watch(checkpoint, example.prompt, asked, play)


def said(example: Example, answer: Answer, verdict: Verdict | None = None) -> Said:
    """An answer, judged; the place is marked where the mask would have stepped in.

    Args:
        verdict: the judge's, where it is known already.
    """
    text, form = Tokenizer.load().decode(answer.ids, special=True), example.form
    if form is None:
        return Said(text)
    verdict = verdict or judge(form, text)
    if verdict.valid:
        return Said(text, right=says_the_same(form, text, example.answer) if example.answer else None)
    why = RAN_OUT if answer.finish_reason == "length" else verdict.why
    good, _ = broke_at(Outcome(example, "free", answer.ids, text, why, right=False))
    # Where the cut is inside a character, `good` ends in a replacement that the whole text does not have.
    detail = "" if isinstance(form, TextForm) else verdict.detail  # it repeats the pattern
    return Said(text, _in_common(good, text), why, detail)


def _in_common(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = zip(one, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
