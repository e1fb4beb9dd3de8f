"""How a show ends: a lab's own idea at work on the small model, in a few lines."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import regex
from numpy.typing import NDArray

from labkit.pictures import Svg
from labkit.scenes.prompted import small_model
from labkit.scenes.steps import Steps
from labkit.small_model.generation import Constraint, Generator, Request
from labkit.small_model.tokenizer import Tokenizer
from labkit.vocabulary import Vocabulary

COLOUR = "#" + 6 * "[0-9a-f]"
"""The form of a colour as lab 02 can say it, so that every lab's mask can be asked for it."""

MAX_TOKENS = 64
"""The most tokens of an answer, EOS included."""

Line = tuple[str, bool | None]
"""A line of text, and whether it is a success; None where it is neither that nor a failure."""

MakeSteps = Callable[[str], Steps]
"""Makes the steps of a grammar over the small model's vocabulary, with the functions of the file under test."""

Function = Callable[[str], Callable[..., Any]]
"""Gives a function of the file under test by its name."""


@dataclass(frozen=True)
class Ending:
    """What a lab shows when its scene is over.

    Attributes:
        idea: the lab's idea in a few words, below the file's name.
        play: yields the lines, and for ``--picture`` what the idea looks like; whatever the student's functions raise
            goes through it.
    """

    idea: str
    play: Callable[[MakeSteps, Function], Iterator[Line | Svg]]


@dataclass(frozen=True)
class Masks:
    """A student's masks, as the model's generator asks for them.

    Where a mask leaves nothing, EOS is allowed: labs 01 to 03 do not know EOS, and end there.
    """

    steps: Steps

    @property
    def initial(self) -> Any:
        """The state before the first token."""
        return self.steps.initial()

    def mask(self, state: Any, remaining: int | None = None) -> NDArray[np.int32]:
        """Return the tokens that may come next as a bitmask: ``int32[ceil(V / 32)]``."""
        allowed = np.zeros(-(-self.steps.size // 32) * 32, dtype=np.bool_)
        if state is not None:
            legal = self.steps.legal(state)
            kept = legal if remaining is None else self.steps.affordable(state, legal, remaining)
            allowed[: self.steps.size] = kept
        allowed[self.steps.vocabulary.eos_id] |= not allowed.any()
        return np.packbits(allowed, bitorder="little").view("<i4").astype(np.int32)

    def advance(self, state: Any, token_id: int) -> Any:
        """Return the state after a token; None where the automaton is dead."""
        return state if token_id == self.steps.vocabulary.eos_id else self.steps.step(state, token_id)


@dataclass(frozen=True)
class DecodedAnswer:
    """What the model wrote: ids without EOS, the text, and whether EOS ended it."""

    ids: tuple[int, ...]
    text: str
    ended: bool


def answer(
    prompt: str,
    constraint: Constraint | None = None,
    *,
    max_tokens: int = MAX_TOKENS,
    seed: int = 0,
    budget: bool = False,
) -> DecodedAnswer:
    """Return the small model's answer to a prompt, under masks or without.

    Args:
        budget: whether the masks are told how many tokens remain.

    >>> answer("Hex code of violet?").text
    '#ee82ee'
    """
    tokenizer = Tokenizer.load()
    request = Request(tokenizer.prompt(prompt), max_tokens, constraint, budget, seed=seed)
    (given,) = Generator(small_model(), Vocabulary.small()).answer([request])
    return DecodedAnswer(given.ids, tokenizer.decode(given.ids, special=True), given.finish_reason == "stop")


def beside(
    prompt: str, free: DecodedAnswer, masked: DecodedAnswer, is_valid: Callable[[str], bool], name: str = "mask"
) -> Iterator[Line]:
    """Yield the prompt and both answers, each with the verdict.

    Args:
        is_valid: the judge, which knows nothing of masks.
    """
    yield f"prompt: {prompt}", None
    for label, each in (("no mask", free), (name, masked)):
        valid = each.ended and is_valid(each.text)
        why = "a match" if valid else "no match" if each.ended else "no match: cut off"
        yield f"{label}: {each.text!r}, {why}", valid


def matches(pattern: str) -> Callable[[str], bool]:
    """Return the judge of a pattern: the ``regex`` package.

    >>> matches("a+")("aa"), matches("a+")("ab")
    (True, False)
    """
    return lambda text: regex.fullmatch(pattern, text) is not None


def by_masks(
    prompt: str, pattern: str, make_steps: MakeSteps, lines: list[Line], *, seed: int = 0, max_tokens: int = MAX_TOKENS
) -> tuple[Steps, DecodedAnswer]:
    """Answer a prompt freely and under a lab's masks; add both to the lines. Return the steps and the masked answer."""
    steps, ask = make_steps(pattern), partial(answer, prompt, seed=seed, max_tokens=max_tokens)
    masked = ask(Masks(steps))
    lines += beside(prompt, ask(), masked, matches(pattern))
    return steps, masked


def texts_before(ids: Sequence[int]) -> list[str]:
    """Return the text before each of these tokens.

    >>> texts_before(Tokenizer.load().encode("#ee82ee"))[:3]
    ['', '#', '#e']
    """
    decode = Tokenizer.load().decode
    return [decode(ids[:place]) for place in range(len(ids))]
