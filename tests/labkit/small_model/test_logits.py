"""The shipped weights in NumPy, against what PyTorch computed with them (course/upkeep/training writes them)."""

import numpy as np
import pytest

from labkit.small_model import CONFIG, SmallModel
from labkit.small_model.transformer import DATA

NEAR = {"rtol": 0, "atol": 1e-4}


@pytest.fixture(scope="module")
def fixture():
    """Return token ids ``[b, k]``, some places among them ``[p]``, and the logits there, ``[b, p, V]``."""
    with np.load(DATA / "logits_fixture.npz", allow_pickle=False) as file:
        ids, places, logits = (file[name] for name in ("ids", "places", "logits"))
    assert ids.dtype == np.int32 and logits.dtype == np.float32
    assert logits.shape == (len(ids), len(places), CONFIG.vocab_size) and logits.std() > 1
    return ids, places, logits


def test_a_prefill_scores_as_the_training_framework_did(fixture):
    ids, places, logits = fixture
    model = SmallModel.load("final")
    every = model.forward(ids, model.new_cache(len(ids)), every=True)
    np.testing.assert_allclose(every[:, places], logits, **NEAR)


def test_token_by_token_scores_as_the_training_framework_did(fixture):
    ids, places, logits = fixture
    model = SmallModel.load("final")
    cache = model.new_cache(len(ids))
    steps = np.stack([model.forward(column[:, None], cache) for column in ids.T], axis=1)
    np.testing.assert_allclose(steps[:, places], logits, **NEAR)


def test_the_two_checkpoints_are_different_models():
    ids = [[72, 105, 33]]
    final, early = (model.forward(ids, model.new_cache()) for model in map(SmallModel.load, ("final", "early")))
    assert np.isfinite(final).all() and np.isfinite(early).all() and abs(final - early).max() > 0.1
