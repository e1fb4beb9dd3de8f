"""What ``python3 -m course show 01`` plays: every token is tried after the whole text."""

from collections.abc import Iterator
from functools import partial

import numpy as np
import regex

from labkit.scenes import Mask, Oracle, Scene, Steps, Written, check_expression, whole_text
from labkit.scenes.endings import COLOUR, Ending, Function, Line, MakeSteps, by_masks, texts_before


class Naive(Steps):
    """The text so far is all the state there is."""

    def initial(self) -> str:
        """Return the empty text."""
        return ""

    def describe(self, state: str) -> str:
        """Return that there is no number yet."""
        return "none: lab 01 reads the whole text again"

    def legal(self, state: str) -> Mask:
        """Ask ``could_match`` about each token."""
        viable = partial(self.function("could_match"), self.grammar)
        return self.array("build_mask", np.bool_, (self.size,), self.texts, state, viable)

    counts = "characters"

    def counted_mask(self, text: str) -> tuple[Mask, int]:
        """Count the characters of every text that is asked about."""
        viable, read = partial(self.function("could_match"), self.grammar), [0]

        def asked(whole: str) -> bool:
            read[0] += len(whole)
            return bool(viable(whole))

        return self.array("build_mask", np.bool_, (self.size,), self.texts, text, asked), read[0]

    def step(self, state: str, token_id: int) -> str:
        """Return the longer text."""
        return state + (self.texts[token_id] or "")


class TextOracle(Oracle):
    """Judges whole texts by the ``regex`` package."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene.vocabulary, gates_eos=False)
        check_expression(scene.grammar)
        self._pattern = scene.grammar

    def is_match(self, text: Written) -> bool:
        """Return whether the whole text matches."""
        return regex.fullmatch(self._pattern, whole_text(text)) is not None

    def rejection(self, before: str, token: str) -> str:
        """Return the text that no match starts with."""
        from labs.lab_01_naive_matching.solution import could_match

        text = before + token
        return "" if could_match(self._pattern, text) else f"no match starts with {text!r}"


def ending(make_steps: MakeSteps, function: Function) -> Iterator[Line]:
    """Answer a prompt, and count what ``could_match`` has read for it."""
    lines: list[Line] = []
    steps, answer = by_masks(PROMPT, COLOUR, make_steps, lines)
    yield from lines
    read = sum(steps.counted_mask(text)[1] for text in texts_before(answer.ids))
    masks = f"{len(answer.ids)} masks, {steps.size:,} questions each"
    yield f"{masks}: could_match has read {read:,} characters to write {len(answer.text)}", None


PROMPT = "Please tell me the hex code of violet. Thanks!"


SCENE = Scene(
    Naive,
    TextOracle,
    judged_by=("lab_01_naive_matching",),
    eos_note="no mask allows it before lab 04",
    has_states=False,
    ending=Ending("every token tried after the whole text", ending),
)
