"""What drafts are worth, counted on the course's transformer.

``python -m labs.lab_14_drafts.measuring`` takes some minutes. It writes ``given/points.json``, of which two tables and
a picture of the README are made. Nothing is timed, so another computer gives the same numbers, up to rounding.
"""

import json
import platform
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from labkit.scenes.prompted import small_model
from labkit.small_model.drafting import DraftReader, by_bigrams, draft_freely, looked_up
from labkit.small_model.tokenizer import Tokenizer
from labs.lab_14_drafts import solution as lab
from labs.lab_14_drafts.given.guides import ALL, AskedGrammar
from mask_engine import compile_guide

LAB = Path(__file__).parent
POINTS = LAB / "given" / "points.json"
"""What was counted."""

LANGUAGES = ("prose", "colour", "list of strings", "order, compact", "six string keys, as written", "ticket, compact")
DRAFTERS = ("early, masked", "early, free", "bigrams, masked", "bigrams, free", "lookup", "forced")
LENGTH, LENGTHS = 4, (1, 2, 4, 8)
"""How many tokens a draft has; the early checkpoint under the masks is measured with others too."""

BUDGET, SEEDS = 110, 5
"""The most tokens of an answer, and how many answers each prompt gets."""


@dataclass(frozen=True)
class MeasuredDrafter:
    """A language with a drafter.

    Attributes:
        length: how many tokens are drafted at most.
        tokens, passes: of the target, over all answers.
        tested, kept: how many drafted tokens were tested, and how many of them kept.
        drafted: how many tokens were drafted.
    """

    language: str
    drafter: str
    length: int
    tokens: int
    passes: int
    drafted: int
    tested: int
    kept: int

    @property
    def rate(self) -> float:
        """The share of the tested tokens that were kept."""
        return self.kept / self.tested if self.tested else 0.0

    @property
    def a_pass(self) -> float:
        """Tokens a pass."""
        return self.tokens / self.passes


def proposal(name: str, guide: Any, length: int, draw: Callable[[], float]) -> lab.Propose:
    """Return the drafter of this name.

    Raises:
        ValueError: if there is none.
    """
    vocabulary = Tokenizer.load().vocabulary
    kind, _, how = name.partition(", ")
    drafter = {"early": DraftReader(small_model("early")).after, "bigrams": by_bigrams}.get(kind)
    certain = np.eye(len(vocabulary))
    if drafter is not None and how == "masked":
        return lambda state, ids, left: lab.draft_legally(
            guide, state, drafter, ids, length, vocabulary.eos_id, left, draw
        )
    if drafter is not None and how == "free":
        return lambda state, ids, left: draft_freely(drafter, ids, length, draw)

    def one_hot(state: Any, ids: Sequence[int], left: int) -> tuple[list[int], lab.Probabilities]:
        draft = (
            looked_up(ids, length)
            if name == "lookup"
            else lab.forced_draft(guide, state, len(vocabulary), vocabulary.eos_id, length, left)
        )
        return draft, certain[draft]

    if name in ("lookup", "forced"):
        return one_hot
    raise ValueError(f"there is no drafter {name!r}; the drafters are {DRAFTERS}")


def measured(asked: AskedGrammar, drafter: str, length: int, seeds: int = SEEDS) -> MeasuredDrafter:
    """Return what a drafter is worth in a language: answers at temperature 1 to each prompt."""
    tokenizer, rng = Tokenizer.load(), np.random.default_rng(0)
    guide, eos = compile_guide(tokenizer.vocabulary, **asked.grammar), tokenizer.vocabulary.eos_id
    propose, drafts = proposal(drafter, guide, length, rng.random), list[list[int]]()

    def noted(state: Any, ids: Sequence[int], left: int) -> tuple[list[int], lab.Probabilities]:
        draft, q_rows = propose(state, ids, left)
        drafts.append(draft)
        return draft, q_rows

    tokens = tested = kept = passes = drafted = 0
    for prompt in asked.prompts * seeds:
        target = DraftReader(small_model())
        drafts.clear()
        rounds = lab.generate(guide, noted, target.score, tokenizer.prompt(prompt), eos, BUDGET, rng.random)
        passes, drafted = passes + target.passes, drafted + sum(map(len, drafts))
        for draft, new in zip(drafts, rounds, strict=True):
            # A replacement is never the token that it replaces: the residual is 0 there.
            same = next((n for n, pair in enumerate(zip(draft, new, strict=False)) if pair[0] != pair[1]), len(new))
            same = min(same, len(draft))
            tokens, kept = tokens + len(new), kept + same
            tested += same + (same < min(len(draft), len(new)))
    return MeasuredDrafter(asked.name, drafter, length, tokens, passes, drafted, tested, kept)


def committed() -> list[MeasuredDrafter]:
    """Return what was measured.

    >>> {point.drafter for point in committed()} == {*DRAFTERS}
    True
    """
    found = json.loads(POINTS.read_text(encoding="utf-8"))["points"]
    return [MeasuredDrafter(**each) for each in found]


def table(points: Sequence[MeasuredDrafter]) -> str:
    """Return a table: a row for each language, a column for each drafter."""
    lines = [f"| language | {' | '.join(DRAFTERS)} |", "|" + "---|" * (1 + len(DRAFTERS))]
    found = {(point.language, point.drafter): point for point in points if point.length == LENGTH}
    for language in LANGUAGES:
        cells = [f"{p.rate:.0%}, {p.a_pass:.2f}" for p in (found[language, drafter] for drafter in DRAFTERS)]
        lines.append(f"| {language} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def main() -> None:
    """Measure everything, write the file, and print the README's table."""
    by_name = {asked.name: asked for asked in ALL}
    found = []
    for language in LANGUAGES:
        for drafter in DRAFTERS:
            for length in LENGTHS if drafter == DRAFTERS[0] else (LENGTH,):
                found.append(measured(by_name[language], drafter, length))
                print(found[-1], flush=True)
    machine = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}, {date.today()}"
    content = {"machine": machine, "seeds": SEEDS, "budget": BUDGET, "points": [asdict(point) for point in found]}
    POINTS.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8", newline="\n")
    print(f"wrote {POINTS}; the README's table:\n\n{table(found)}")


if __name__ == "__main__":
    main()
