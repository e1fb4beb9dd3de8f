"""A real language model, small enough for the repository: a Llama of a million weights, run by NumPy alone."""

from labkit.small_model.config import CONFIG, ModelConfig, weight_shapes
from labkit.small_model.kv_cache import KvCache
from labkit.small_model.transformer import SmallModel
from labkit.small_model.weights import BadWeights, Weights, load_weights, random_weights

__all__ = [
    "CONFIG",
    "BadWeights",
    "KvCache",
    "ModelConfig",
    "SmallModel",
    "Weights",
    "load_weights",
    "random_weights",
    "weight_shapes",
]
