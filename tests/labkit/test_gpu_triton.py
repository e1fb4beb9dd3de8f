"""The stand-in beside Triton's own interpreter: one kernel that does a bit of everything, run by both. An extra."""

import os
import subprocess
import sys

import pytest

from course.student.core.catalog import ROOT
from tests.bridges.extras import needs_triton

KERNEL = """
import numpy as np
from labkit.gpu import ON_TRITON, jit, tl


@jit
def twice(x):
    return x + x


@jit
def everything(ints_ptr, shorts_ptr, floats_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    inside = i < n
    a = tl.load(ints_ptr + i, mask=inside, other=3)
    b = tl.load(shorts_ptr + i, mask=inside, other=-3)
    f = tl.load(floats_ptr + i, mask=inside, other=0.5)
    tl.store(out_ptr + i, a // 7)
    tl.store(out_ptr + BLOCK + i, a % 7)
    tl.store(out_ptr + 2 * BLOCK + i, a >> (i % 32))
    tl.store(out_ptr + 3 * BLOCK + i, (a << 1) ^ (a & 0xFF) | 1)
    tl.store(out_ptr + 4 * BLOCK + i, a * b + twice(b))
    tl.store(out_ptr + 5 * BLOCK + i, tl.where((f > 0) & ~(a == 5), a, -b))
    tl.store(out_ptr + 6 * BLOCK + i, (f * 2.5 - 1).to(tl.int32))
    table = (a[:, None] >> tl.arange(0, 4)[None, :]) & 1
    tl.store(out_ptr + 7 * BLOCK + tl.arange(0, BLOCK * 4), tl.reshape(table, (BLOCK * 4,)))
    total = tl.load(ints_ptr)
    for place in range(1, n):
        total = total * 31 + tl.load(ints_ptr + place)
    if total != 0:
        tl.store(out_ptr + 11 * BLOCK, total)
    tl.store(out_ptr + 11 * BLOCK + 1, tl.cdiv(n, 4) + tl.num_programs(0) + tl.maximum(n, 9) - tl.minimum(n, 9))


ints = np.array([5, -5, 7, -8, 2**31 - 1, -(2**31), 0, 31, -1, 1000, -1000, 12345], np.int32)
shorts = np.array([1, -1, 300, -300, 2, 3, 4, 5, -6, 7, 8, -9], np.int16)
floats = np.array([1.5, -2.0, 0.25, 3.0, -0.5, 2.0, 8.0, -1.0, 0.0, 1.0, 2.5, -3.5], np.float32)
out = np.full(16 * 11 + 2, -7, np.int32)
arrays = [ints, shorts, floats, out]
if ON_TRITON:
    import torch

    arrays = [torch.from_numpy(each) for each in arrays]
everything[(1,)](*arrays, len(ints), BLOCK=16)
print(ON_TRITON, out.tolist())
"""


@pytest.mark.parametrize("gpu", ["", pytest.param("triton", marks=needs_triton)])
def test_both_give_the_same(tmp_path, gpu):
    (tmp_path / "everything.py").write_text(KERNEL, encoding="utf-8")
    found = []
    for each in ("", gpu):
        environment = {**os.environ, "LAB_GPU": each, "TRITON_INTERPRET": "1", "PYTHONPATH": str(ROOT)}
        command = [sys.executable, str(tmp_path / "everything.py")]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0 and done.stdout.startswith(str(bool(each))), done.stderr
        found.append(done.stdout.split(" ", 1)[1])
    assert found[0] == found[1] and found[0].startswith("[0, 0, 1, -1, 306783378, -306783378, 0, 4, 0, 142, -142, 1763")
