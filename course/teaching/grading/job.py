"""What one grading depends on, and the key under which its record is kept."""

import json
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any

from course.isolation.sandbox import Limits

UNSAFE = ""
"""The name of no sandbox at all."""

PROPERTIES = "properties"
"""The exercise in which students write tests."""


@dataclass(frozen=True)
class Rules:
    """Everything that decides on the verdicts, except the submission.

    Attributes:
        lab: its number.
        sandbox: the name of what confines the submission, or ``UNSAFE``.
        test_s: seconds of one test, and of loading.
        total_s: seconds after which no further test of a submission is begun.
        limits: of the submission's process.
        seed: of the property tests' examples; None for those that students have.
        tests: the hash of the trusted base.
        exercise: what is submitted: ``PROPERTIES``, or, empty, the lab's starter.
        todo: the only TODO whose tests run; None for all.
    """

    lab: int
    sandbox: str
    test_s: float = 10.0
    total_s: float = 120.0
    limits: Limits = field(default_factory=Limits)
    seed: int | None = None
    tests: str = ""
    exercise: str = ""
    todo: int | None = None


@dataclass(frozen=True)
class Job:
    """One submission to be graded. Plain data, so that it travels to another process or machine."""

    rules: Rules
    text: str

    @property
    def key(self) -> str:
        """Return the name of the record: the same text under the same rules has the same one.

        >>> Job(Rules(2, ""), "x = 1").key == Job(Rules(2, ""), "x = 1").key != Job(Rules(2, ""), "x = 2").key
        True
        """
        return sha256(self.dumps().encode()).hexdigest()[:40]

    def dumps(self) -> str:
        """Return the job as one line of JSON."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def loads(cls, line: str) -> "Job":
        """Return the job that ``dumps`` wrote."""
        found: dict[str, Any] = json.loads(line)
        rules = found["rules"]
        return cls(Rules(**(rules | {"limits": Limits(**rules["limits"])})), found["text"])
