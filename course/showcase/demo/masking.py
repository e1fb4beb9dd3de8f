"""The mask of a person's own form: compiled, checked against the budget, and what it says of an answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import jsonschema
import numpy as np
from numpy.typing import NDArray

from course.showcase.demo.forms import in_words
from course.showcase.small_model.guides import guide_for
from course.student.core.timeouts import TimeLimit, time_limit
from labkit.errors import BudgetTooSmall, LimitExceeded, TokenNotAllowed
from labkit.small_model.tasks.forms import Form, JsonForm
from labkit.small_model.tasks.judging import Verdict, judge
from labkit.small_model.tokenizer import Tokenizer
from labs.assembled import Guide

PATIENCE = 2.0
"""Seconds that the judge may take: a schema's pattern may be one on which ``re`` never ends."""

SAMPLES = {
    "coral as a hex colour": "#ff7f50",
    "2.7.2032 as an ISO date": "2032-07-02",
    "International form of 0049 30 1234567": "+49 30 1234567",
}
"""Prompts that the model was trained on, with what they ask for."""

_LONGEST = 60


@dataclass
class Mask:
    """A guide that counts the steps at which it left one choice.

    Attributes:
        steps: how many masks it gave.
        forced: how many of these allowed just one token.
    """

    form: Form
    guide: Guide
    steps: int = 0
    forced: int = 0

    @property
    def initial(self) -> Any:
        """The state before the first token."""
        return self.guide.initial

    def mask(self, state: Any, remaining: int | None = None) -> NDArray[np.int32]:
        """The tokens that may come next, packed."""
        words = self.guide.mask(state, remaining)
        self.steps += 1
        self.forced += int(np.bitwise_count(words.view(np.uint32)).sum()) == 1
        return words

    def advance(self, state: Any, token_id: int) -> Any:
        """The state behind a token."""
        return self.guide.advance(state, token_id)

    def verdict(self, ids: Sequence[int]) -> Verdict:
        """Whether these tokens are a whole answer; ``unclosed`` where they only end too early."""
        state = self.guide.initial
        try:
            for token_id in ids:
                state = self.guide.advance(state, token_id)
        except TokenNotAllowed:
            return Verdict(False, "no match")
        return Verdict(True) if self.guide.is_accepting(state) else Verdict(False, "unclosed")


def compiled(form: Form, max_tokens: int) -> Mask:
    """The mask of a form.

    Raises:
        ValueError: if the pattern or the schema cannot be compiled, with the place in it.
        BudgetTooSmall: if no answer fits into the tokens, with the fewest that would do.
    """
    try:
        guide = guide_for(form)
    except RecursionError:
        raise LimitExceeded("the pattern or schema is nested deeper than Python can follow", 1) from None
    needed = guide.tokens_to_accept(guide.initial) + 1
    if needed > max_tokens:
        raise BudgetTooSmall(max_tokens, needed)
    return Mask(form, guide)


def fitting_prompt(mask: Mask) -> str:
    """A prompt for a form that came without one."""
    if isinstance(mask.form, JsonForm):
        keys = mask.form.schema.get("properties", ()) if isinstance(mask.form.schema, dict) else ()
        return f"JSON with the keys {', '.join(list(keys)[:8])}." if keys else "Reply with JSON."
    encode = Tokenizer.load().encode
    if not mask.verdict(encode("Hello!")).valid:
        for prompt, answer in SAMPLES.items():
            if mask.verdict(encode(answer)).valid:
                return prompt
    return f"Write {in_words(mask.form)[:_LONGEST]}"


def verdict_on(mask: Mask, ids: Sequence[int], text: str) -> Verdict:
    """What is to be said of an answer: JSON is judged by ``json`` and ``jsonschema``, other texts by the machine.

    The machine has the last word where a judge gives none.
    """
    if isinstance(mask.form, JsonForm):
        try:
            with time_limit(PATIENCE):
                return judge(mask.form, text)
        except (TimeLimit, jsonschema.exceptions.SchemaError, ValueError, TypeError, RecursionError):
            pass
    return mask.verdict(ids)
