"""What the demo shows, as plain data: made here and now, or recorded elsewhere."""

from dataclasses import dataclass
from typing import Any

from labkit.automata import Fsm

STEPS = 8
"""Tokens that a run may take, EOS included."""

TOKENS = 32
"""The most tokens of an object, EOS included."""

PREFIX = "3.14"
"""The beginning behind which one mask is measured."""

SEARCHED = 128
"""Prompts that a checkpoint of the small model answers at most, in the search for answers that broke."""

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "answer": {"type": "string", "minLength": 1, "maxLength": 14},
        "mood": {"enum": ["calm", "cross"]},
        "sure": {"type": "boolean"},
        "votes": {"type": "integer", "minimum": 0, "maximum": 99},
    },
    "required": ["answer", "sure"],
}


@dataclass(frozen=True)
class Pattern:
    """A pattern of the demo, its machine, and a few beginnings behind which the masks are compared."""

    source: str
    what: str
    fsm: Fsm
    prefixes: tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """What came out, and why it ended: ``stop`` or ``length``."""

    text: str
    reason: str


@dataclass(frozen=True)
class Run:
    """What came out of one model for one pattern: without a mask, under the mask, within the budget.

    ``budgeted`` is None where lab 05's reference was not handed out.
    """

    pattern: Pattern
    model: str
    free: Answer
    masked: Answer
    budgeted: Answer | None


@dataclass(frozen=True)
class Written:
    """What came out of one model without a mask and with one, and what ``jsonschema`` says of the latter."""

    model: str
    free: str
    text: str
    verdict: str


@dataclass(frozen=True)
class Cost:
    """Seconds that one mask takes, at one vocabulary size."""

    vocab_size: int
    naive: float
    machine: float
    table: float


@dataclass(frozen=True)
class Said:
    """One answer of the small model, judged.

    Attributes:
        text: with the names of special tokens.
        broke: how many characters stand before the first token that the mask forbids; all of them where the answer only
            ends too early, and None where it is valid.
        why: the judge's reason; nothing where the answer is valid.
        detail: what the judge says about it in a sentence.
        right: whether it says what the prompt says; None where nobody knows.
    """

    text: str
    broke: int | None = None
    why: str = ""
    detail: str = ""
    right: bool | None = None


@dataclass(frozen=True)
class Pair:
    """A prompt with its answers: without a mask, and with the one of the form that was asked for.

    Attributes:
        asked: the form in words; nothing where none was asked for, and then nothing is masked.
    """

    checkpoint: str
    prompt: str
    asked: str
    free: Said
    masked: Said | None


@dataclass(frozen=True)
class Row:
    """How the answers of one checkpoint in one mode came out.

    Attributes:
        right: how many are valid and say what the prompt says.
        why: how many of the others failed for which reason.
    """

    checkpoint: str
    mode: str
    n: int
    valid: int
    right: int
    why: dict[str, int]


@dataclass(frozen=True)
class Count:
    """Rows that were counted together; ``where`` says in words when and how."""

    where: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Results:
    """Everything that the demo shows."""

    vocab_size: int
    patterns: tuple[Pattern, ...]
    runs: tuple[Run, ...]
    agreed: tuple[bool, ...]
    written: tuple[Written, ...]
    costs: tuple[Cost, ...]
    pairs: tuple[Pair, ...]
    counts: tuple[Count, ...]
