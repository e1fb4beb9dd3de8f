"""A small model that is smaller still."""

from labkit.small_model import ModelConfig

TINY = ModelConfig(vocab_size=11, d_model=12, n_layers=2, n_heads=3, d_ff=7, max_positions=100)
"""No two sizes alike, so that no axis can stand in for another."""
