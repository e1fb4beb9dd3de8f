"""The figures of the small model: how many of its answers are valid, why others are not, and how many are right."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path

from course.showcase.small_model.modes import MODES, RAN_OUT
from course.showcase.small_model.outcomes import MAX_TOKENS, Outcome, generator, outcomes
from course.showcase.surroundings import surroundings
from labkit.small_model.tasks import MEASURED, examples
from labkit.small_model.transformer import DATA

FILE = DATA / "figures.json"
"""The figures of the checkpoints in the repository."""

EVALUATION_SEED = 2_000_003
"""The seed of the prompts: none that the training used."""


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
        """The share of some answers."""
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
    """The shares of the answers of each mode: the whole, what is like the training and what is not, then by task."""
    return {mode: {**_whole(group), **_by_task(group)} for mode, group in answers.items()}


GROUPS = ("all", "familiar", "unfamiliar")
"""The whole of a measurement and its two halves."""


def _whole(group: Sequence[Outcome]) -> dict[str, Share]:
    halves = ([each for each in group if each.example.familiar is familiar] for familiar in (True, False))
    return dict(zip(GROUPS, map(Share.of, (group, *halves)), strict=True))


def _by_task(group: Sequence[Outcome]) -> dict[str, Share]:
    tasks = sorted({outcome.example.task for outcome in group})
    return {task: Share.of([outcome for outcome in group if outcome.example.task == task]) for task in tasks}


def measure(
    checkpoint: str, n: int, seed: int, temperature: float, tell: Callable[[str, int], object] = lambda what, n: None
) -> Table:
    """Answer ``n`` prompts in every mode and count.

    Args:
        tell: told the mode when it begins and ends, and how many requests were made ready meanwhile.
    """
    prompts = list(islice(examples(EVALUATION_SEED + seed, MEASURED), n))
    model = generator(checkpoint)
    answers: dict[str, Sequence[Outcome]] = {}
    for mode in MODES:
        tell(mode, 0)
        answers[mode] = outcomes(
            prompts, mode, model, seed=seed, temperature=temperature, prepared=partial(tell, mode, 1)
        )
    return tabulate(answers)


def save(tables: dict[str, Table], n: int, seed: int, temperature: float, path: Path) -> None:
    """Write the figures with what was asked and where."""
    setting = {"n": n, "seed": seed, "temperature": temperature, "max_tokens": MAX_TOKENS}
    shares = {
        checkpoint: {mode: {task: asdict(share) for task, share in by_task.items()} for mode, by_task in table.items()}
        for checkpoint, table in tables.items()
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**setting, **surroundings(), "shares": shares}, indent=1) + "\n", encoding="utf-8")


def load(path: Path = FILE) -> tuple[dict[str, object], dict[str, Table]]:
    """The figures that the repository ships: what was asked and where, and the tables by checkpoint."""
    content = json.loads(path.read_text(encoding="utf-8"))
    shares = content.pop("shares")
    tables = {
        checkpoint: {mode: {task: Share(**share) for task, share in by_task.items()} for mode, by_task in table.items()}
        for checkpoint, table in shares.items()
    }
    return content, tables
