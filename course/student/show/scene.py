"""What is played: a lab, a pattern, a vocabulary that fits on a screen, and a model with strong wishes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from course.student.core.catalog import Lab
from labkit.models import Model, adversary, digit_lover, seeded_random
from labkit.vocabulary import Vocabulary

_TEXTS = (
    *("0", "1", "2", "7", "a", "f", "x", "q", "@", ".", ",", "!", '"', "\n", "é"),
    *("0x", "0xg", "x1", "1f", "ff", "42", "2024", ".5", "3.", " the", " Sure"),
)
VOCABULARY = Vocabulary([*(text.encode() for text in _TEXTS), b"\xe2\x82", b"</s>"], eos_id=len(_TEXTS) + 1)
"""26 tokens with a text, one that is half a character, and EOS."""

_HALVES = (b"\xe2", b"\xc3", b"\xa9", b"\xac", b"\x82\xac", b" \xe2\x82", b"1", b"", b"7")
BYTE_VOCABULARY = Vocabulary(
    [*VOCABULARY.token_bytes, *_HALVES],
    eos_id=VOCABULARY.eos_id,
    special_ids=[len(VOCABULARY) + len(_HALVES) - 1],
)
"""The same and more, for labs 07 and 14: parts of é and €, a second ``1``, one without bytes, and a special ``7``."""

_JSON_TEXTS = (
    *("{", "}", "[", "]", ":", ",", '"', "\\", "-", "0", "1", "7", "é", "\n", " the", " Sure"),
    *('{"', '":', ',"', '",', '"}', "hot", "size", "true", "false", "null", "01", "42", "low", "high"),
)
JSON_VOCABULARY = Vocabulary(
    [*(text.encode() for text in _JSON_TEXTS), b"\xe2\x82", b"</s>"], eos_id=len(_JSON_TEXTS) + 1
)
"""The same for lab 08: the signs of JSON, alone and in pairs, a few keys and values, half a character, and EOS."""

MODELS = ("adversary", "digits", "random")
BUDGET = 8

_SCHEMA = (
    '{"type": "object", "properties": {"hot": {"type": "boolean"}, "size": {"type": "integer"}}, "required": ["size"]}'
)
_USUAL = {
    5: (r"[0-9]+\.[0-9]+", "digits", BUDGET),
    6: (r"\d+\.\d*|\.\d+", "adversary", BUDGET),
    7: ("[0-9]+ ?€", "random", BUDGET),
    8: (_SCHEMA, "adversary", 16),
    14: ("(é|x|[0-9])+ ?€", "random", BUDGET),
}
"""Pattern, model and budget of labs that are not content with the hexadecimal number. Lab 08's pattern is a schema."""

_WISHES = (" Sure", ",", " the", '"')
_STOPS_EVERY = 3
_COOLING = np.float32(3)
"""The scripted models are so sure of themselves that every bar but one would be empty; this makes them doubt."""


@dataclass(frozen=True)
class Scene:
    """One evening's play. ``us`` holds the number that each step samples with."""

    lab: Lab
    pattern: str
    model_name: str
    model: Model
    seed: int
    us: tuple[float, ...]
    vocabulary: Vocabulary

    @property
    def max_tokens(self) -> int:
        """The most tokens to emit, EOS included."""
        return len(self.us)


def make_scene(lab: Lab, pattern: str | None, model: str | None, seed: int, max_tokens: int | None) -> Scene:
    """The scene of a lab, with its own pattern, model and budget where none is named.

    Raises:
        ValueError: for a model that there is not.

    >>> from course.student.core.catalog import find_lab
    >>> scene = make_scene(find_lab(4), None, None, seed=0, max_tokens=None)
    >>> scene.pattern, scene.model_name, len(scene.us)
    ('0x[0-9a-f]+', 'adversary', 8)
    """
    usual = _USUAL.get(lab.number, ("0x[0-9a-f]+", "adversary", BUDGET))
    name = usual[1] if model is None else model
    us = tuple(np.random.default_rng(seed).random(usual[2] if max_tokens is None else max_tokens).tolist())
    vocabulary = {7: BYTE_VOCABULARY, 8: JSON_VOCABULARY, 14: BYTE_VOCABULARY}.get(lab.number, VOCABULARY)
    source = usual[0] if pattern is None else pattern
    return Scene(lab, source, name, _model(name, vocabulary, seed), seed, us, vocabulary)


def _model(name: str, vocabulary: Vocabulary, seed: int) -> Model:
    if name == "adversary":
        return _cooled(_tired(adversary(vocabulary, _WISHES, seed), vocabulary.eos_id))
    if name == "digits":
        return _cooled(digit_lover(vocabulary, seed))
    if name == "random":
        return seeded_random(len(vocabulary), seed)
    raise ValueError(f"there is no model {name!r}; the theatre has {', '.join(MODELS)}")


def _tired(model: Model, eos_id: int) -> Model:
    """The same model, but at every third step what it wants most is to stop."""

    def logits(ids: Sequence[int]) -> NDArray[np.float32]:
        row = model(ids)
        if len(ids) % _STOPS_EVERY == 1:
            row[eos_id] = 23.0
        return row

    return logits


def _cooled(model: Model) -> Model:
    return lambda ids: model(ids) / _COOLING
