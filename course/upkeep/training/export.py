"""From a trained model to the files that the repository ships."""

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from numpy.lib.format import write_array
from numpy.typing import NDArray

from course.upkeep.training.batches import batches
from course.upkeep.training.torch_model import Llama
from labkit.small_model.tokenizer import Tokenizer

_TIME = (2000, 1, 1, 0, 0, 0)
"""The time that the archive's members carry: the same weights give the same bytes."""


def save_weights(model: Llama, path: Path) -> None:
    """Write the weights as float16 under the names that labkit reads; the same weights give the same bytes."""
    arrays = {name: weight.detach().numpy().astype(np.float16) for name, weight in model.named_parameters()}
    write_npz(path, arrays)


def write_npz(path: Path, arrays: Mapping[str, NDArray[np.generic]]) -> None:
    """An uncompressed npz without times of day; written beside the place and moved there when it is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    with zipfile.ZipFile(part, "w") as archive:
        for name, array in arrays.items():
            content = io.BytesIO()
            write_array(content, np.ascontiguousarray(array), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", _TIME), content.getvalue())
    part.replace(path)


@torch.no_grad()
def save_logits(model: Llama, path: Path, tokenizer: Tokenizer, rows: int = 3, length: int = 96) -> None:
    """Write what PyTorch computes in float32 from the float16 weights, for the test of the NumPy model."""
    rounded = Llama(model.config)
    rounded.load_state_dict({name: weight.half().float() for name, weight in model.state_dict().items()})
    ids, _ = next(batches(31, rows, length, tokenizer))
    logits = rounded(torch.from_numpy(ids)).numpy()
    # Every eighth position and the last: the whole would weigh more than the model.
    places = np.unique(np.r_[0 : length + 1 : 8, length])
    write_npz(path, {"ids": ids.astype(np.int32), "places": places.astype(np.int32), "logits": logits[:, places]})
