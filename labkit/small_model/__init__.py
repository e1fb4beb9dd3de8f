"""A real language model, small enough for the repository: a Llama of a million weights, run by NumPy alone."""

from labkit.small_model.config import CONFIG, ModelConfig, weight_shapes

__all__ = ["CONFIG", "ModelConfig", "weight_shapes"]
