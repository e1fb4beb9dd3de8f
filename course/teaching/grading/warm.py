"""What the fork server imports and does once, so that no child pays for it: see ``local``."""

import gc
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import hypothesis
import hypothesis.configuration
import interegular  # noqa: F401
import jsonschema  # noqa: F401
import numpy  # noqa: F401
import regex  # noqa: F401

from course.student.core.catalog import find_lab
from course.teaching.grading.attempt import attempt, isolate
from course.teaching.grading.job import UNSAFE, GradingRules, Job
from course.teaching.grading.local import LAB

# It would write them into the current folder, which is the checkout.
hypothesis.configuration.set_hypothesis_home_dir(os.devnull)
# Hypothesis makes its tables of characters when it first draws a text.
hypothesis.given(hypothesis.strategies.text())(hypothesis.settings(max_examples=1, database=None)(lambda text: None))()


def run_once(number: str) -> None:
    """Run a lab's tests on its reference: this imports them and fills their caches."""
    lab = find_lab(number)
    job = Job(GradingRules(lab.number, UNSAFE), lab.solution.read_text(encoding="utf-8"))
    with TemporaryDirectory() as folder:
        attempt(job, None, Path(folder), lambda **found: None)


if wanted := os.environ.pop(LAB, ""):
    isolate()
    run_once(wanted)
gc.collect()
gc.freeze()  # what is here stays: no child looks through it again, and its pages stay shared
