"""The figures of the small model: how many of its answers are valid, why others are not, and how many are right."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from course.showcase.environment import environment
from course.showcase.small_model.outcomes import MAX_TOKENS, MODES, RAN_OUT, Outcome, generator, outcomes
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
"""By mode, then by group and by task."""


def tabulate(answers: dict[str, Sequence[Outcome]]) -> Table:
    """Return the shares of each mode's answers: all, those like the training and those unlike it, then by task."""
    return {mode: _by_group(group) for mode, group in answers.items()}


GROUPS = ("all", "familiar", "unfamiliar")
"""The whole of a measurement and its two halves."""


def _by_group(answers: Sequence[Outcome]) -> dict[str, Share]:
    halves = ([each for each in answers if each.example.familiar is familiar] for familiar in (True, False))
    groups = dict(zip(GROUPS, (answers, *halves), strict=True))
    for task in sorted({each.example.task for each in answers}):
        groups[task] = [each for each in answers if each.example.task == task]
    return {name: Share.of(group) for name, group in groups.items()}


def measure(
    checkpoint: str, n: int, seed: int, temperature: float, tell: Callable[[str, int], object] = lambda mode, n: None
) -> Table:
    """Answer ``n`` prompts in every mode and count.

    Args:
        tell: called with the mode and 0 when it begins, and with 1 for each request that is ready.
    """
    prompts = list(islice(examples(EVALUATION_SEED + seed, MEASURED), n))
    model = generator(checkpoint)
    answers: dict[str, Sequence[Outcome]] = {}
    for mode in MODES:
        tell(mode, 0)
        ready = partial(tell, mode, 1)
        answers[mode] = outcomes(prompts, mode, model, seed=seed, temperature=temperature, prepared=ready)
    return tabulate(answers)


def save(tables: dict[str, Table], n: int, seed: int, temperature: float, path: Path) -> None:
    """Write the figures with what was asked and where."""
    setting = {"n": n, "seed": seed, "temperature": temperature, "max_tokens": MAX_TOKENS}
    shares = _each_share(tables, asdict)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**setting, **environment(), "shares": shares}, indent=1) + "\n", encoding="utf-8")


def load(path: Path = FILE) -> tuple[dict[str, object], dict[str, Table]]:
    """Return the figures that the repository ships: what was asked and where, and the tables by checkpoint."""
    content = json.loads(path.read_text(encoding="utf-8"))
    tables = _each_share(content.pop("shares"), lambda share: Share(**share))
    return content, tables


def _each_share(tables: dict[str, Any], change: Callable[[Any], Any]) -> dict[str, Any]:
    return {
        checkpoint: {mode: {group: change(share) for group, share in groups.items()} for mode, groups in table.items()}
        for checkpoint, table in tables.items()
    }
