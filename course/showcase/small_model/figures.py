"""The figures of the small model: how many of its answers are valid, why others are not, and how many are right."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from course.showcase.measuring import environment
from course.showcase.small_model.outcomes import MAX_TOKENS, RAN_OUT, Outcome, generator, outcomes
from labkit.small_model.tasks import MEASURED, examples
from labkit.small_model.transformer import DATA

FILE = DATA / "figures.json"
"""The figures of the checkpoints in the repository."""

EVALUATION_SEED = 2_000_003
"""The seed of the prompts; the training used none of these."""


@dataclass
class Share:
    """How a group of answers came out.

    Attributes:
        valid: how many have the form that was asked for; those that ran out of tokens are not among them.
        right: how many are valid and say what the prompt says.
        why: how many of the others failed for which reason.
    """

    n: int = 0
    valid: int = 0
    right: int = 0
    why: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, group: Sequence[Outcome]) -> "Share":
        """Return the share of some answers."""
        why = Counter(outcome.why for outcome in group if outcome.why)
        valid, right = sum(outcome.valid for outcome in group), sum(outcome.right for outcome in group)
        return cls(len(group), valid, right, dict(why.most_common()))

    @property
    def ran_out(self) -> int:
        """How many ran out of tokens."""
        return self.why.get(RAN_OUT, 0)


Table = dict[str, dict[str, Share]]
"""By mode, then by group or task."""


GROUPS = ("all", "familiar", "unfamiliar")
"""The whole of a measurement and its two halves."""


def by_group(answers: Sequence[Outcome]) -> dict[str, Share]:
    """Return the shares of all answers, of those to prompts like the training's and unlike them, then by task."""
    halves = ([each for each in answers if each.example.familiar is familiar] for familiar in (True, False))
    groups = dict(zip(GROUPS, (answers, *halves), strict=True))
    for task in sorted({each.example.task for each in answers}):
        groups[task] = [each for each in answers if each.example.task == task]
    return {name: Share.of(group) for name, group in groups.items()}


def measure(checkpoint: str, mode: str, n: int, seed: int, temperature: float) -> dict[str, Share]:
    """Answer ``n`` prompts in one mode, and return the shares."""
    prompts = list(islice(examples(EVALUATION_SEED + seed, MEASURED), n))
    return by_group(outcomes(prompts, mode, generator(checkpoint), seed=seed, temperature=temperature))


def save(tables: dict[str, Table], n: int, seed: int, temperature: float, path: Path) -> None:
    """Write the figures with what was asked and where."""
    setting = {"n": n, "seed": seed, "temperature": temperature, "max_tokens": MAX_TOKENS}
    content = {**setting, **environment(), "shares": tables}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1, default=vars) + "\n", encoding="utf-8")


def load(path: Path = FILE) -> tuple[dict[str, object], dict[str, Table]]:
    """Return the figures that the repository ships: what was asked and where, and the tables by checkpoint."""
    content = json.loads(path.read_text(encoding="utf-8"))
    tables = {
        checkpoint: {mode: {name: Share(**share) for name, share in groups.items()} for mode, groups in table.items()}
        for checkpoint, table in content.pop("shares").items()
    }
    return content, tables
