"""Files of weights: what is written comes back, and an error names the file and its fault."""

import io
import pickle
import re
import zipfile

import numpy as np
import pytest

from labkit.small_model import BadWeights, SmallModel, load_weights, random_weights, weight_shapes
from tests.labkit.small_model import TINY

NORM = "model.norm.weight"
EMBEDDING = "model.embed_tokens.weight"


def halves(**changes):
    """Return the arrays of a good file, with changes; None leaves an array out."""
    arrays = {name: array.astype(np.float16) for name, array in random_weights(TINY).items()}
    arrays |= {{"norm": NORM, "embedding": EMBEDDING}.get(name, name): array for name, array in changes.items()}
    return {name: array for name, array in arrays.items() if array is not None}


def npz(save=np.savez, **changes):
    file = io.BytesIO()
    save(file, **halves(**changes))
    return file.getvalue()


def with_member(name, content):
    """Return a good archive in which one member has these bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as new, zipfile.ZipFile(io.BytesIO(npz())) as good:
        for member in good.namelist():
            new.writestr(member, content if member == f"{name}.npy" else good.read(member))
    return file.getvalue()


def header(shape, descr="<f2"):
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": shape})
    return file.getvalue()


def flipped(content):
    """Return the same with one bit changed in the middle of an array."""
    at = content.index(b"NUMPY") + 150  # a header is 128 bytes
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


HEARD = []


def hear():
    HEARD.append("unpickled")


class Loud:
    """An object that leaves a mark when it is unpickled."""

    def __reduce__(self):
        return (hear, ())


LOUD = np.array([Loud()], dtype=object)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "weights.npz"


# What is written comes back ---------------------------------------------------------------------------


@pytest.mark.parametrize("order", "CF")
def test_a_file_gives_back_what_was_written(file, order):
    file.write_bytes(npz(embedding=np.array(halves()[EMBEDDING], order=order)))
    found, drawn = load_weights(file, TINY), random_weights(TINY)
    assert list(found) == list(drawn) == list(weight_shapes(TINY))
    assert all(np.array_equal(found[name], drawn[name]) and found[name].dtype == np.float32 for name in drawn)
    loaded, made = SmallModel.load(file, TINY), SmallModel(drawn, TINY)
    assert np.array_equal(*(model.forward([[1, 2]], model.new_cache()) for model in (loaded, made)))


def test_the_names_are_those_of_hugging_faces_llama():
    """The names are copied from its documentation, for two layers."""
    parts = [f"self_attn.{name}_proj" for name in "qkvo"] + [f"mlp.{name}_proj" for name in ("gate", "up", "down")]
    parts += ["input_layernorm", "post_attention_layernorm"]
    names = {f"model.layers.{i}.{part}.weight" for i in range(2) for part in parts} | {NORM, EMBEDDING}
    assert weight_shapes(TINY).keys() == names


# What is wrong is told --------------------------------------------------------------------------------

HALF = halves()
BAD = {
    "an empty file": (b"", "File is not a zip file; expected an npz of 20 float16 arrays"),
    "a pickle": (pickle.dumps({NORM: Loud()}), "File is not a zip file"),
    "a changed bit": (flipped(npz()), "Bad CRC-32"),
    "an array cut short": (with_member(NORM, header((12,)) + bytes(22)), "24 bytes"),
    "a pickle inside": (npz(norm=LOUD), rf"{NORM} is object\[1\]; expected float16\[12\]"),
    "a bare pickle inside": (with_member(NORM, pickle.dumps(Loud())), "the magic string is not correct"),
    "a header that lies": (with_member(NORM, header((10**14,))), r"is float16\[10{14}\]; expected float16\[12\]"),
    "compressed": (npz(np.savez_compressed), f"{EMBEDDING} is compressed; expected arrays stored as they are"),
    "one missing": (npz(norm=None), f"{NORM} is missing; expected the 20 arrays"),
    "one too many": (npz(bias=np.zeros(3, np.float16)), "'bias' is one too many; expected the 20 arrays"),
    "another vocabulary": (
        npz(embedding=np.zeros((13, 12), np.float16)),
        rf"{EMBEDDING} is float16\[13, 12\]; expected .*a vocabulary of 11 tokens",
    ),
    "more digits": (npz(norm=HALF[NORM].astype(np.float32)), rf"{NORM} is float32\[12\]; expected float16\[12\]"),
    "NaN": (npz(norm=np.array([1] * 7 + [np.nan] * 5, np.float16)), rf"{NORM} holds nan at \[7\]; expected finite"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_file_is_named_with_what_is_wrong(file, kind):
    content, said = BAD[kind]
    file.write_bytes(content)
    with pytest.raises(BadWeights) as caught:
        load_weights(file, TINY)
    assert str(caught.value).startswith(f"{file}: ") and re.search(said, str(caught.value)), str(caught.value)
    assert isinstance(caught.value, ValueError) and "\n" not in str(caught.value)


def test_nothing_is_unpickled(file):
    HEARD.clear()
    pickle.loads(pickle.dumps(Loud()))
    assert HEARD.pop() == "unpickled"
    for kind in ("a pickle", "a pickle inside", "a bare pickle inside"):
        file.write_bytes(BAD[kind][0])
        with pytest.raises(BadWeights):
            load_weights(file, TINY)
    assert not HEARD


def test_a_file_that_is_not_there_and_a_folder(tmp_path):
    with pytest.raises(BadWeights, match=r"gone\.npz: No such file or directory; expected an npz of 38 float16 arrays"):
        SmallModel.load(tmp_path / "gone.npz")
    with pytest.raises(BadWeights, match="expected an npz"):
        load_weights(tmp_path)
