"""A scene: what ``python3 -m course show`` plays for a lab."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from labkit.models import Model, adversary, digit_lover, seeded_random
from labkit.scenes.endings import COLOUR, Ending
from labkit.scenes.oracles import NoOracle, Oracle
from labkit.scenes.prompted import prompted
from labkit.scenes.steps import Steps
from labkit.scenes.vocabularies import VOCABULARY
from labkit.vocabulary import Vocabulary

MODELS = ("adversary", "digits", "random", "small")

_FAVOURITES = (" Sure", ",", " the", '"')
_STOPS_EVERY = 3
_COOLING = np.float32(3)
"""The scripted models are so sure of themselves that every bar but one would be empty; this makes them doubt."""


@dataclass(frozen=True)
class Scene:
    """A grammar, a vocabulary and a model, how the student's functions make a step, and an oracle that judges it.

    >>> scene = Scene(Steps, lambda scene: Oracle(scene.vocabulary))
    >>> scene.grammar, scene.model_name, len(scene.us)
    ('0x[0-9a-f]+', 'adversary', 8)
    """

    steps: type[Steps]
    make_oracle: Callable[["Scene"], Oracle]
    judged_by: tuple[str, ...] = ()
    """The folders of the labs whose references the oracle needs. A copy of the course may lack some of them."""
    grammar: str = "0x[0-9a-f]+"
    kind: str = "pattern"
    """What the grammar is. The heading shows a pattern; anything else is named there, and shown on its own lines."""
    model_name: str = "adversary"
    prompt: str = "Hex code of violet?"
    """What the model ``small`` answers, which brings a vocabulary of its own."""
    vocabulary: Vocabulary = VOCABULARY
    max_tokens: int = 8
    """The most tokens to generate, EOS included."""
    seed: int = 0
    eos_note: str = ""
    """Why no mask of this lab allows EOS; empty where the masks decide."""
    has_states: bool = True
    """Whether the student's functions remember a state from one step to the next."""
    has_budget: bool = False
    """Whether the masks depend on the tokens that remain."""
    on_model: tuple[str, str] = (COLOUR, "Please tell me the hex code of violet. Thanks!")
    """The grammar and a prompt that fits it, for the model ``small`` where nothing else is asked for."""
    ending: Ending | None = None
    """What the lab shows on that model when the scene is over."""

    def __post_init__(self) -> None:
        if self.model_name == "small":
            object.__setattr__(self, "vocabulary", Vocabulary.small())

    @cached_property
    def us(self) -> tuple[float, ...]:
        """The number that each step samples with."""
        return tuple(np.random.default_rng(self.seed).random(self.max_tokens).tolist())

    @cached_property
    def model(self) -> Model:
        """The model of that name.

        Raises:
            ValueError: if there is none.
        """
        if self.model_name == "adversary":
            return _cooled(_often_stopping(adversary(self.vocabulary, _FAVOURITES, self.seed), self.vocabulary.eos_id))
        if self.model_name == "digits":
            return _cooled(digit_lover(self.vocabulary, self.seed))
        if self.model_name == "random":
            return seeded_random(len(self.vocabulary), self.seed)
        if self.model_name == "small":
            return prompted(self.prompt)
        raise ValueError(f"there is no model {self.model_name!r}; the models are {', '.join(MODELS)}")

    @cached_property
    def free_ids(self) -> list[int]:
        """The tokens that the model writes without a mask, with the same random numbers."""
        ids: list[int] = []
        while len(ids) < self.max_tokens and self.vocabulary.eos_id not in ids:
            logits = self.model(ids).astype(np.float64)
            sums = np.cumsum(np.exp(logits - logits.max()))
            ids.append(int(np.searchsorted(sums, self.us[len(ids)] * sums[-1], side="right")))
        return ids

    @cached_property
    def free_text(self) -> str:
        """The text of ``free_ids``."""
        return self.vocabulary.decode(self.free_ids)

    def oracle(self, lab: str) -> Oracle:
        """Return the oracle, or one that judges nothing where this copy lacks a reference that it needs.

        Raises:
            ValueError: if the grammar is refused.
        """
        if all(map(has_reference, self.judged_by)):
            return self.make_oracle(self)
        return NoOracle(self.vocabulary, lab)


def has_reference(lab: str) -> bool:
    """Return whether this copy holds the reference of a lab, and not the student's own file in its place.

    >>> has_reference("lab_02_atom_fsm"), has_reference("lab_99_of_tomorrow")
    (True, False)
    """
    try:
        spec = find_spec(f"labs.{lab}.solution")
    except ModuleNotFoundError:
        return False
    return spec is not None and str(spec.origin).endswith("solution.py")


def _often_stopping(model: Model, eos_id: int) -> Model:
    """Return the same model, but every third step it prefers EOS to everything else."""

    def logits(ids: Sequence[int]) -> NDArray[np.float32]:
        row = model(ids)
        if len(ids) % _STOPS_EVERY == 1:
            row[eos_id] = 23.0
        return row

    return logits


def _cooled(model: Model) -> Model:
    return lambda ids: model(ids) / _COOLING
