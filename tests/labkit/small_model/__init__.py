"""Tests; and a small model that is smaller still."""

from labkit.small_model import ModelConfig, SmallModel, random_weights

TINY = ModelConfig(vocab_size=11, d_model=12, n_layers=2, n_heads=3, d_ff=7, max_positions=100)
"""No two sizes alike, so that no axis can stand in for another."""

tiny = SmallModel(random_weights(TINY, seed=5), TINY)
