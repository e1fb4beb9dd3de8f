"""The figures and tables of lab 15's pages, compared with the reference."""

import re

import numpy as np
import pytest

from course.student.core.catalog import find_lab
from labkit.gpu import OutOfBounds, jit, tl
from labkit.vocabulary import Vocabulary
from labs.lab_15_gpu_bitmask import solution as lab_15
from mask_engine import compile_guide
from tests.labs import table

LAB = find_lab(15)
README = (LAB.folder / "README.md").read_text(encoding="utf-8")
PLAIN = " ".join(README.split())


def test_the_words_of_the_picture():
    words = lab_15.pack(np.isin(np.arange(70), (2, 5, 6, 31, 32, 33, 69))[None])[0]
    assert "4 + 32 + 64 - 2,147,483,648" in PLAIN and words[0] == 4 + 32 + 64 - (1 << 31)
    assert "shifted by 31, is -1 and not 1; shifted by 30 it is -2" in PLAIN
    assert (words[0] >> np.int32(31), words[0] >> np.int32(30)) == (-1, -2)


def test_the_row_of_a_price():
    vocabulary = Vocabulary.tekken()
    price = re.search(r"about to write a price, `(.+?)`", PLAIN)[1]
    guide = compile_guide(vocabulary, regex=price)
    row = guide.mask(guide.initial)
    shown = [
        int(number.replace(",", ""))
        for number in re.search(r"One is (\S+), .+? The other is (\S+), for", PLAIN).groups()
    ]
    assert shown == row[[33, 32]].tolist() and np.flatnonzero(row).tolist() == [32, 33] and len(row) == 4_096
    digits = [vocabulary.token_bytes[token] for token in range(1048, 1058)]
    assert digits == [b"%d" % digit for digit in range(10)] and len(vocabulary) == 131_072


def test_the_bytes_of_the_example():
    assert "For `[[5], [2]]` with V = 3, C = 4 and 2 bytes a logit that's 8 + 10 = 18 bytes" in PLAIN
    assert lab_15.least_bytes(np.array([[5], [2]], np.int32), 3, 4, 2) == 8 + 10 == 18
    assert "so a grid of `(4, 3)` covers it" in PLAIN and lab_15.grid_of(4, 80, 32) == (4, 3)


def test_the_table_of_apply():
    def shown(row):
        return ", ".join(f"{value:g}" for value in row)

    for call, *expected in table("| `logits` zeros [2, 4]", README):
        logits = np.zeros((2, 4), np.float32)
        rows = {"`rows=None`": None, "`rows=[1]`": [1]}[call]
        lab_15.apply(logits, np.array([[5], [2]], np.int32), 3, rows)
        assert [shown(row) for row in logits] == expected


def test_the_example_of_a_kernel():
    code = re.search(r"```python\n(.+?)\n```", README, re.S)[1]
    space = {"jit": jit, "tl": tl, "np": np}
    exec(code.replace("tl.tensor", "object"), space)
    assert space["x"].tolist() == list(range(1, 11))

    @jit
    def beyond(x_ptr: tl.tensor, BLOCK: tl.constexpr) -> None:  # noqa: N803 (as Triton has them)
        tl.load(x_ptr + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))

    with pytest.raises(OutOfBounds) as caught:
        beyond[(2,)](np.arange(10), BLOCK=8)
    assert f"OutOfBounds: {caught.value}" in PLAIN


def test_the_table_of_a_block():
    shown = {cells[0]: cells[1] for cells in table("| step | result |", README)}
    logits = np.zeros(80, np.float32)
    words = lab_15.pack(np.isin(np.arange(70), (2, 5, 6, 31, 32, 33, 69))[None])[0]
    lab_15.mask_block_on_device(logits, words, 70, block_id=1, block=64)
    stored = np.flatnonzero(np.isneginf(logits)).tolist()
    assert stored == [*range(64, 69), *range(70, 80)] and shown["stored"].startswith("64 to 68, 70 to 79:")
    assert shown["allowed"].startswith("69:") and shown["loaded"] == f"`[{words[2]}, 0]`"


def test_the_table_of_states():
    tables = lab_15.tables_of(["1+"], Vocabulary.toy())
    for number, cells in enumerate(table("| state | byte `1` |", README)):
        steps = tables.steps[number]
        assert (np.delete(steps, [ord("1"), 256]) == int(cells[3])).all()
        mine = [steps[ord("1")], steps[256], steps[257], tables.masks[number, 0]]
        assert [int(cell.split(":")[0]) for cell in cells[1:]] == mine and cells[0].startswith(str(number))
    states = np.array([0, -1, 1], np.int32)
    lab_15.advance_on_device(states, np.array([3, 3, 4], np.int32), *tables[2:4], tables.steps)
    assert "the states `[0, -1, 1]` and the sampled tokens `[3, 3, 4]` become `[1, -1, 2]`" in PLAIN
    assert states.tolist() == [1, -1, 2]


def test_the_bytes_of_a_batch():
    found = lab_15.bytes_per_step(256, 256, 131_072)
    assert "packed rows are 4 MiB" in PLAIN and found["words"] == 4 << 20
    assert "number of a row, which is 1 KiB" in PLAIN and found["state numbers"] == 1 << 10
