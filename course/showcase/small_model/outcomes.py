"""Answers of the small model to many prompts, free and under masks, each with the judge's verdict."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from labkit.automata.trees import choice, row
from labkit.small_model.generation import Answer, Generator, Request
from labkit.small_model.tasks import Example
from labkit.small_model.tasks.forms import Form, JsonForm, NamedForm, TextForm, WrappedForm
from labkit.small_model.tasks.judging import Verdict, judge, says_the_same
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import SmallModel
from labs.lab_06_regex_to_dfa.given.words import literals
from mask_engine import Guide, compile_guide, guide_of
from mask_engine.patterns.lazy import LazyDfa
from mask_engine.trees.compiler import schema_tree

MODES = ("free", "mask", "budget")
"""Without a mask; with one; with one that keeps enough tokens to finish (lab 05)."""

NAMES = {"free": "no mask", "mask": "mask", "budget": "mask with budget"}
"""The modes' names on the screen."""

RAN_OUT = "out of tokens"
"""The reason for an answer that was cut off: the judge never saw its end."""

MAX_TOKENS = 128
"""The most tokens an answer may have, EOS included: about twice the longest of the usual ones."""


@dataclass(frozen=True)
class JudgedAnswer:
    """One answer to one prompt.

    Attributes:
        text: the answer, with the names of special tokens in it.
        why: empty where it is valid; else a reason of the judge's, or ``RAN_OUT``.
        right: whether it is valid and says what the prompt says.
        detail: the judge's explanation in a sentence.
    """

    example: Example
    ids: tuple[int, ...]
    text: str
    why: str
    right: bool
    detail: str = ""

    @property
    def valid(self) -> bool:
        """Whether the answer has the form that was asked for."""
        return not self.why


def generator(checkpoint: str = "final") -> Generator:
    """Return the model of a checkpoint with its vocabulary."""
    return Generator(SmallModel.load(checkpoint), Tokenizer.load().vocabulary, 32)


def guide_for(form: Form) -> Guide:
    """Return the guide that enforces a form, in the small model's tokens; compiled once for each form.

    The guide begins after the form's special token, which the caller has to force.

    >>> guide = guide_for(TextForm("#[0-9a-f]{6}"))
    >>> guide.tokens_to_accept(guide.initial)  # as "#", "add" and "eed"
    3
    """
    # As JSON, since a schema is a dictionary, which cannot be a cache's key.
    return _compiled(type(form).__name__, json.dumps(vars(form)))


@lru_cache(maxsize=1024)
def _compiled(kind: str, fields: str) -> Guide:
    kinds: dict[str, type[Form]] = {kind.__name__: kind for kind in (JsonForm, TextForm, WrappedForm, NamedForm)}
    form, vocabulary = kinds[kind](**json.loads(fields)), Tokenizer.load().vocabulary
    if isinstance(form, TextForm):
        return compile_guide(vocabulary, regex=form.pattern)
    if isinstance(form, JsonForm):
        return compile_guide(vocabulary, json_schema=form.schema)
    if isinstance(form, NamedForm):
        begins = {f"{form.before}{name}{form.between}": schema for name, schema in form.schemas.items()}
    else:
        begins = {form.before: form.schema}
    inside = {before: schema_tree(schema) for before, schema in begins.items()}
    calls = [row(literals([before]), tree, literals([form.after])) for before, tree in inside.items() if tree]
    return guide_of(vocabulary, LazyDfa(choice(calls)))


def request_for(example: Example, mode: str, seed: int, temperature: float = 1.0) -> Request:
    """Return the request that an example makes in one of the modes."""
    form = example.form
    request = Request(Tokenizer.load().prompt(example.prompt), MAX_TOKENS, seed=seed, temperature=temperature)
    if mode == "free" or form is None:
        return request
    return replace(request, constraint=guide_for(form), within_budget=mode == "budget", forced=forced_ids(form))


def forced_ids(form: Form) -> list[int]:
    """Return the special token that has to come first, which no mask over text can write."""
    return (
        [Tokenizer.load().special_ids[form.special]]
        if isinstance(form, WrappedForm | NamedForm) and form.special
        else []
    )


def outcomes(
    examples: Sequence[Example], mode: str, generator: Generator, *, seed: int = 0, temperature: float = 1.0
) -> list[JudgedAnswer]:
    """Answer the examples and judge the answers; request i has the seed ``seed + i`` in every mode."""
    requests = [request_for(example, mode, seed + i, temperature) for i, example in enumerate(examples)]
    answers = generator.answer(requests)
    return [judged(example, answer) for example, answer in zip(examples, answers, strict=True)]


def judged(example: Example, answer: Answer, verdict: Verdict | None = None) -> JudgedAnswer:
    """Judge an answer, unless its verdict is given; where no form is asked for, every answer is valid."""
    text, form = Tokenizer.load().decode(answer.ids, special=True), example.form
    verdict = verdict or (judge(form, text) if form else Verdict(True))
    why = RAN_OUT if answer.finish_reason == "length" and not verdict.valid else verdict.why
    # A person's own prompt comes without a right answer.
    right = form is not None and verdict.valid and example.answer != "" and says_the_same(form, text, example.answer)
    return JudgedAnswer(example, answer.ids, text, why, right, verdict.detail)
