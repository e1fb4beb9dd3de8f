"""Tests; and a small model that is smaller still."""

from labkit.small_model import ModelConfig, SmallModel, random_weights

TINY = ModelConfig(vocab_size=11, d_model=12, n_layers=2, n_heads=3, d_ff=7, max_positions=100)
"""No two sizes alike, so that no axis can stand in for another."""

NEAR = {"rtol": 0, "atol": 3e-5}
"""Logits are of size 1 to 4; float32 adds up to within a few millionths of float64, in any order."""

tiny = SmallModel(random_weights(TINY, seed=5), TINY)
