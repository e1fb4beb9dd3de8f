"""What the fork server imports once, so that no child pays for it: see ``local``."""

import os

import hypothesis
import hypothesis.configuration
import interegular  # noqa: F401
import jsonschema  # noqa: F401
import numpy  # noqa: F401
import regex  # noqa: F401

from course.teaching.grading import attempt  # noqa: F401

# It would write them into the current folder, which is the checkout.
hypothesis.configuration.set_hypothesis_home_dir(os.devnull)
# Hypothesis makes its tables of characters when it first draws a text.
hypothesis.given(hypothesis.strategies.text())(hypothesis.settings(max_examples=1, database=None)(lambda text: None))()
