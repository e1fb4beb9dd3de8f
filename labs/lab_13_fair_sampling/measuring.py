"""How far masking is off on the course's transformer, and what each sampler makes of it, at which price.

``python -m labs.lab_13_fair_sampling.measuring`` takes five minutes. It writes ``given/points.json``, of which the
README's table and a picture are made: the course's transformer at temperature 1, seed 0, masks that keep a budget.
"""

import json
import math
import platform
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labkit.scenes.prompted import small_model
from labkit.small_model import KvCache
from labkit.small_model.tokenizer import Tokenizer
from labs.lab_13_fair_sampling import solution as lab
from labs.lab_13_fair_sampling.given.samplers import ATTEMPTS, NAMES, PARTICLES, Allowed, write

LAB = Path(__file__).parent
POINTS = LAB / "given" / "points.json"
"""What was measured."""

IN_THE_README = (
    ("date, right format", "final"),
    ("month without a day", "final"),
    ("colour of three digits", "early"),
    ("one of eight colours", "early"),
    ("city from a list", "early"),
)
"""The points whose rows stand in the README."""

SHOWN = "masked | rejection | SMC | adaptive"

SAMPLES = 400
"""Texts of each sampler. Of a language whose texts are not listed, the samplers write a twentieth."""

KEPT = 200
"""So many KV caches are kept, the newest."""

LISTED = 1e-7
"""A prefix whose share of the language's probability is smaller is not followed when the texts are listed."""


class Language(NamedTuple):
    """A language, and what the model is asked.

    Attributes:
        grammar: the arguments of ``mask_engine.compile_guide`` beside the vocabulary.
        budget: the most tokens, EOS included.
        listed: whether the language is small enough to list its texts.
    """

    name: str
    prompt: str
    grammar: dict[str, Any]
    budget: int
    listed: bool = True


TEXT = {"type": "string", "minLength": 1, "maxLength": 20}
ORDER = {"item": TEXT, "quantity": {"type": "integer"}, "customer": TEXT, "city": TEXT}

ALL = (
    Language("date, right format", "ISO date of 28.1.2026, please.", {"regex": "202[67]-0[1-3]-2[6-9]"}, 12),
    Language("month without a day", "ISO date of 28.1.2026, please.", {"regex": "2026-(0[1-9]|1[0-2])"}, 9),
    Language("colour of three digits", "Hex code of violet?", {"regex": "#[8e][0-3a-f]e"}, 6),
    Language(
        "one of eight colours",
        "Hex code of violet?",
        {"regex": "#(ff0000|00ff00|0000ff|8a2be2|ee82ee|800080|000000|ffffff)"},
        12,
    ),
    Language(
        "city from a list",
        "Order: 38 rulers, for Nina Suzuki in Tokyo. As JSON, nothing else.",
        {"regex": r'\{"city": "(Tokyo|Toronto|Torino|Oslo|Osaka|Rome|Warsaw)"\}'},
        20,
    ),
    Language(
        "yes or no in JSON",
        "done: yes; language: English. JSON with done, language.",
        {"regex": r'\{"done": (true|false), "language": "(English|French|Dutch)"\}'},
        24,
    ),
    Language("phone, five digits", "Clean up: 0033 41 7881675", {"regex": r"[+]33 41 788[0-9]{2}"}, 14),
    Language(
        "order, as JSON Schema",
        "Order: 38 rulers, for Nina Suzuki in Tokyo. As JSON, nothing else.",
        {"json_schema": {"type": "object", "properties": ORDER, "required": [*ORDER], "additionalProperties": False}},
        64,
        listed=False,
    ),
    Language(
        "short order, by budget",
        "Order: 38 rulers, for Nina Suzuki in Tokyo. As JSON, nothing else.",
        {"json_schema": {"type": "object", "properties": ORDER, "required": [*ORDER], "additionalProperties": False}},
        22,
        listed=False,
    ),
)
"""Languages that the model would write anyway, and languages that it would not."""


class Prompted:
    """A language with a checkpoint: model and mask as the lab's samplers ask for them.

    Attributes:
        passes: how often a sampler has asked the model. What was asked before is looked up, and counted all the same.
    """

    def __init__(self, asked: Language, checkpoint: str) -> None:
        from mask_engine import compile_guide

        tokenizer = Tokenizer.load()
        self.vocabulary = tokenizer.vocabulary
        self.eos_id = self.vocabulary.eos_id
        self.asked, self.passes = asked, 0
        self._prompt, self._model = tokenizer.prompt(asked.prompt), small_model(checkpoint)
        guide = compile_guide(self.vocabulary, **asked.grammar)
        self.allowed = Allowed(guide, len(self.vocabulary), asked.budget)
        self._caches: dict[tuple[int, ...], KvCache] = {}
        self._logits: dict[tuple[int, ...], NDArray[np.float32]] = {}

    def model(self, ids: Sequence[int]) -> NDArray[np.float32]:
        """Return the logits after the prompt and these ids: one forward pass."""
        self.passes += 1
        key = tuple(ids)
        if key not in self._logits:
            before = self._caches.get(key[:-1]) if key else None
            cache = self._model.new_cache() if before is None else before.take([0])
            tokens = [*self._prompt, *key] if before is None else [key[-1]]
            self._logits[key] = self._model.forward([tokens], cache)[0]
            self._caches[key] = cache
            if len(self._caches) > KEPT:
                del self._caches[next(iter(self._caches))]
        return self._logits[key]

    def text(self, ids: Sequence[int]) -> str:
        """Return the text of ids."""
        return self.vocabulary.decode([each for each in ids if each != self.eos_id])

    def listing(self) -> tuple[dict[str, float], dict[str, float]]:
        """Return the model's own probability of each text of the language, and masking's; token ids are added up."""
        true, masked, floor = defaultdict[str, float](float), defaultdict[str, float](float), 0.0
        waiting: list[tuple[list[int], float, float]] = [([], 0.0, 0.0)]
        while waiting:
            ids, score, bent = waiting.pop()
            if ids[-1:] == [self.eos_id]:
                true[self.text(ids)] += math.exp(score)
                masked[self.text(ids)] += math.exp(bent)
                floor = LISTED * sum(true.values())
                continue
            scores = np.where(self.allowed(ids), lab.log_softmax(self.model(ids)), -np.inf)
            mass = float(np.logaddexp.reduce(scores))
            for token in np.argsort(scores)[len(scores) - int(np.isfinite(scores).sum()) :].tolist():
                after, odds = score + float(scores[token]), bent + float(scores[token]) - mass
                # What neither the model nor masking would ever write is left out.
                if max(math.exp(after) - floor, math.exp(odds) - LISTED) > 0:
                    waiting.append(([*ids, token], after, odds))
        return dict(true), dict(masked)


@dataclass(frozen=True)
class Result:
    """What one sampler made of a language.

    Attributes:
        written: the share of the texts it was asked for that it gave.
        valid: the share of these that are legal, as a matcher of whole texts says.
        distance: the total variation of what it wrote from the fair distribution; None where that is not known.
        passes: forward passes for each text that it was asked for.
    """

    sampler: str
    written: float
    valid: float | None
    distance: float | None
    passes: float


@dataclass(frozen=True)
class MeasuredLanguage:
    """A language with a checkpoint.

    Attributes:
        legal: the probability that the model, left alone, writes a legal text.
        texts: how many were listed; 0 if none.
        kl, tv: the distances of masking from the fair distribution; where no texts are listed, estimated from weights.
        worth: the effective sample size of 100 masked samples.
        noise: the variation that as many exact samples have from the distribution that they are drawn from.
    """

    name: str
    checkpoint: str
    legal: float
    texts: int
    kl: float
    tv: float
    worth: float
    noise: float | None
    results: list[Result]


def measured(asked: Language, checkpoint: str) -> MeasuredLanguage:
    """Return what the samplers make of a language."""
    from mask_engine import compile_json_schema, compile_regex

    subject, rng = Prompted(asked, checkpoint), np.random.default_rng(0)

    def draw() -> float:
        return float(rng.random())

    particles = lab.smc_sample(subject.model, subject.allowed, subject.eos_id, SAMPLES, draw, 0.0)
    weights = [weight for _, weight in particles]
    legal, (kl, tv) = math.exp(np.logaddexp.reduce(weights)) / SAMPLES, lab.estimated_distances(weights)
    fair, noise = dict[str, float](), None
    if asked.listed:
        true, masked = subject.listing()
        legal = sum(true.values())
        fair = {text: part / legal for text, part in true.items()}
        kl, tv = lab.distances(masked, fair)
        drawn = rng.multinomial(SAMPLES, np.array([*fair.values()]) / sum(fair.values()), 200) / SAMPLES
        noise = float(np.abs(drawn - np.array([*fair.values()])).sum(1).mean() / 2)
    regex = asked.grammar.get("regex")
    matcher = compile_json_schema(asked.grammar["json_schema"]) if regex is None else compile_regex(regex)
    results = []
    for name in NAMES:
        subject.passes, memory = 0, dict[tuple[int, ...], float]()
        n = SAMPLES if asked.listed else SAMPLES // 20
        each = (write(name, subject.model, subject.allowed, subject.eos_id, draw, memory) for _ in range(n))
        texts = [text for text in each if text is not None]
        counts = Counter(map(subject.text, texts))
        shares = {text: count / len(texts) for text, count in counts.items()}
        distance = lab.distances(shares, fair)[1] if fair and texts else None
        valid = sum(map(matcher.fullmatch, map(subject.text, texts))) / len(texts) if texts else None
        results.append(Result(name, len(texts) / n, valid, distance, subject.passes / n))
    worth = lab.effective_sample_size(weights) * 100 / SAMPLES
    return MeasuredLanguage(asked.name, checkpoint, legal, len(fair), max(0.0, kl), tv, worth, noise, results)


def committed() -> list[MeasuredLanguage]:
    """Return what was measured.

    >>> {point.checkpoint for point in committed()} == {"early", "final"}
    True
    """
    found = json.loads(POINTS.read_text(encoding="utf-8"))["points"]
    return [MeasuredLanguage(**{**each, "results": [Result(**result) for result in each["results"]]}) for each in found]


def excerpt() -> str:
    """Return the README's table.

    >>> excerpt().count("\\n")
    7
    """
    found = {(point.name, point.checkpoint): point for point in committed()}
    rows = [
        f"| {name}, {checkpoint} | {point.legal:.1g} | {' | '.join(map(_cell, point.results))} |"
        for name, checkpoint in IN_THE_README
        for point in [found[name, checkpoint]]
    ]
    return "\n".join([f"| language, checkpoint | legal | {SHOWN} |", "|" + "---|" * 6, *rows, ""])


def _cell(result: Result) -> str:
    passes = f"{result.passes:.0f}"
    if not result.written:
        return f"none, {passes}"
    return passes if result.distance is None else f"{result.distance:.2f}, {passes}"


def main() -> None:
    """Measure everything, write the file, and print the README's table."""
    points = []
    for asked in ALL:
        for checkpoint in ("early", "final"):
            points.append(asdict(measured(asked, checkpoint)))
            print(f"{asked.name}, {checkpoint}", flush=True)
    machine = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}, {date.today()}"
    content = {"samples": SAMPLES, "particles": PARTICLES, "attempts": ATTEMPTS, "machine": machine, "points": points}
    POINTS.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8", newline="\n")
    print(f"wrote {POINTS}; the README's table:\n\n{excerpt()}")


if __name__ == "__main__":
    main()
