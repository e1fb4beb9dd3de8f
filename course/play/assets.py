"""The small model's weights and tokens as scripts: a page from the disk may load a script, but no data."""

import json
from base64 import b64encode

import numpy as np

from labkit.small_model.config import weight_shapes
from labkit.small_model.transformer import Checkpoint, path_of
from labkit.small_model.weights import load_weights
from labkit.vocabulary import SMALL_SPECIAL, SMALL_TOKENS


def weights_script(checkpoint: Checkpoint) -> str:
    """Return a script that adds a checkpoint to ``mtlWeights``, as base64 of float16 in the order of `weight_shapes`.

    >>> weights_script("early")[:71]
    'var mtlWeights = Object.assign(globalThis.mtlWeights ?? {}, {"early": "'
    """
    weights = load_weights(path_of(checkpoint))
    joined = np.concatenate([weights[name].ravel() for name in weight_shapes()]).astype("<f2")
    added = json.dumps({checkpoint: b64encode(joined.tobytes()).decode("ascii")})
    return f"var mtlWeights = Object.assign(globalThis.mtlWeights ?? {{}}, {added});\n"


def tokens_script() -> str:
    """Return a script with the small model's tokens, as ``tokenizer.js`` reads them: ``mtlTokens``.

    >>> tokens_script().partition('"special": ')[2]
    '["<|end|>", "<|user|>", "<|assistant|>", "[TOOL_CALLS]"]};\\n'
    """
    merged = json.loads(SMALL_TOKENS.read_text(encoding="utf-8"))
    return f"var mtlTokens = {json.dumps({'merged': merged, 'special': SMALL_SPECIAL})};\n"
