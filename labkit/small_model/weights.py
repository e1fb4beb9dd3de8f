"""Weights of the small model: read from an untrusted file, or drawn at random."""

import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from labkit.small_model.config import CONFIG, ModelConfig, weight_shapes

Weights = dict[str, NDArray[np.float32]]
Shape = tuple[int, ...]

_FORMAT: Any = np.lib.format
"""NumPy's reader of single arrays, which has no type hints."""

_UNREADABLE = (OSError, EOFError, KeyError, ValueError, RuntimeError, MemoryError, zipfile.BadZipFile)
"""The exceptions of zipfile and NumPy for files that are damaged or forged."""


class BadWeights(ValueError):
    """Weights that do not fit the model: where they come from, what is wrong with them, and what was expected.

    >>> print(BadWeights("x.npz", "model.norm.weight is missing"))
    x.npz: model.norm.weight is missing
    """

    def __init__(self, source: str, problem: str) -> None:
        super().__init__(source, problem)
        self.source = source
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.source}: {self.problem}"


def load_weights(path: str | Path, config: ModelConfig = CONFIG) -> Weights:
    """Read an uncompressed npz of float16 arrays, named and shaped as `weight_shapes` says; they come back as float32.

    Nothing is unpickled, and no array is read before its header says that it is the one expected.

    Raises:
        BadWeights: if the file is missing, not an npz, damaged, or holds anything but this model's weights.

    >>> load_weights("nowhere.npz")
    Traceback (most recent call last):
    labkit.small_model.weights.BadWeights: nowhere.npz: No such file or directory; expected an npz of 38 float16 arrays
    """
    source, shapes = str(path), weight_shapes(config)
    try:
        with zipfile.ZipFile(path) as archive:
            _check_names(source, [name.removesuffix(".npy") for name in archive.namelist()], shapes)
            found = {name: _read(source, archive, name, shape) for name, shape in shapes.items()}
    except BadWeights:
        raise
    except _UNREADABLE as error:
        reason = (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__
        raise BadWeights(source, f"{reason}; expected an npz of {len(shapes)} float16 arrays") from error
    return check_weights(found, config, source)


def _read(source: str, archive: zipfile.ZipFile, name: str, shape: Shape) -> NDArray[np.generic]:
    """Return one array of the archive. It has to be stored: uncompressed, it cannot grow beyond the file's size."""
    member = archive.getinfo(f"{name}.npy")
    if member.compress_type != zipfile.ZIP_STORED:
        raise BadWeights(source, f"{name} is compressed; expected arrays stored as they are")
    with archive.open(member) as file:
        if _FORMAT.read_magic(file) != (1, 0):
            raise BadWeights(source, f"{name} is not written in version 1.0 of NumPy's format")
        found, _, dtype = _FORMAT.read_array_header_1_0(file)
        _check_form(source, name, (dtype, found), (np.float16, shape))
        file.seek(0)
        return cast(NDArray[np.generic], _FORMAT.read_array(file, allow_pickle=False))


def check_weights(weights: Mapping[str, NDArray[np.generic]], config: ModelConfig, source: str) -> Weights:
    """Return the weights as float32 if none is missing, and all are finite and have the model's shapes.

    Args:
        weights: float16 or float32 arrays under the names of `weight_shapes`.
        source: what the error calls them, such as the name of their file.

    Raises:
        BadWeights: if they are not.

    >>> config = ModelConfig(vocab_size=8)
    >>> check_weights(random_weights(), config, "drawn")
    Traceback (most recent call last):
    labkit.small_model.weights.BadWeights: drawn: model.embed_tokens.weight is float32[1024, 128]; expected \
float32[8, 128] (a vocabulary of 8 tokens)
    """
    shapes = weight_shapes(config)
    _check_names(source, weights, shapes)
    for name, shape in shapes.items():
        array = weights[name]
        dtype = np.float16 if array.dtype == np.float16 else np.float32
        _check_form(source, name, (array.dtype, array.shape), (dtype, shape))
        if not np.isfinite(array).all():
            place = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
            raise BadWeights(source, f"{name} holds {array[place]} at {list(place)}; expected finite numbers")
    return {name: weights[name].astype(np.float32) for name in shapes}


def _check_names(source: str, found: Iterable[str], shapes: Mapping[str, Shape]) -> None:
    names = list(found)
    if missing := [name for name in shapes if name not in names]:
        raise BadWeights(source, f"{missing[0]} is missing; expected the {len(shapes)} arrays of the model")
    if len(names) > len(shapes):
        more = next((name for name in names if name not in shapes), "an array")
        raise BadWeights(source, f"{more!a} is one too many; expected the {len(shapes)} arrays of the model alone")


def _check_form(source: str, name: str, found: tuple[DTypeLike, Shape], expected: tuple[DTypeLike, Shape]) -> None:
    if found != expected:
        (dtype, shape), (wanted, size) = found, expected
        what = f" (a vocabulary of {size[0]} tokens)" if name == "model.embed_tokens.weight" else ""
        forms = f"is {np.dtype(dtype)}{list(shape)}; expected {np.dtype(wanted)}{list(size)}"
        raise BadWeights(source, f"{name} {forms}{what}")


def random_weights(config: ModelConfig = CONFIG, seed: int = 0) -> Weights:
    """Return random weights of which every one affects the logits, for tests and for timing.

    They are rounded to float16, so that a file gives back the same ones.

    >>> one, same, other = (random_weights(seed=seed)["model.norm.weight"] for seed in (1, 1, 2))
    >>> one.dtype, bool((one == same).all()), bool((one == other).all())
    (dtype('float32'), True, False)
    """
    rng = np.random.default_rng(seed)
    weights: Weights = {}
    for name, shape in weight_shapes(config).items():
        normal = rng.standard_normal(shape)
        # A matrix keeps the magnitude of what it multiplies; a norm has numbers around 1.
        array = normal / np.sqrt(shape[1]) if len(shape) == 2 else 1 + normal / 4
        weights[name] = array.astype(np.float16).astype(np.float32)
    return weights
