"""Fixtures of the small model's tests."""

import pytest

from labkit.small_model import SmallModel, random_weights
from tests.labkit.small_model.tiny import TINY


@pytest.fixture(scope="session")
def tiny():
    return SmallModel(random_weights(TINY, seed=5), TINY)
