"""The lab's kernels under real Triton: in its interpreter, compiled without a device, and on one. All extras."""

import subprocess
import sys

import pytest

from course.student.core.catalog import ROOT
from labs.lab_15_gpu_bitmask import measuring
from tests.bridges.extras import needs_triton

WITH_DEVICE = pytest.mark.skipif(not measuring.has_device(), reason="no device that torch and Triton can use")
SCRIPT = "labs.lab_15_gpu_bitmask.measuring"

COMPILED = """
from labs.lab_15_gpu_bitmask import measuring
measuring.prepare(interpret=False)
from triton import compile
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from labs.lab_15_gpu_bitmask import solution as lab
numbers = ("row_stride", "column_stride", "bitmask_stride", "table_stride", "vocab_size", "n_columns")
types = {"offsets_ptr": "*i32", "symbols_ptr": "*i16", "BLOCK": "constexpr", "SYMBOLS": "constexpr"}
constants = {"BLOCK": 1024, "SYMBOLS": lab.SYMBOLS}
kernels = (lab.apply_bitmask_kernel, lab.apply_rows_kernel, lab.apply_states_kernel, lab.advance_kernel)
for kernel in kernels:
    for logits in ("fp32", "fp16", "bf16"):
        signature = {
            name: types.get(name, "*" + logits if name == "logits_ptr" else "i32" if name in numbers else "*i32")
            for name in kernel.arg_names
        }
        given = {name: value for name, value in constants.items() if name in signature}
        source = ASTSource(kernel, signature=signature, constexprs=given)
        assert compile(source, target=GPUTarget("cuda", 90, 32)).asm["cubin"]
print(len(kernels))
"""


def run(*command):
    return subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)


@needs_triton
def test_the_interpreter_gives_what_numpy_gives():
    done = run("-m", SCRIPT, "--check")
    assert done.returncode == 0 and "no bit differs" in done.stdout, done.stderr


@needs_triton
def test_the_kernels_compile():
    done = run("-c", COMPILED)
    assert done.returncode == 0 and done.stdout.strip() == "4", done.stderr


@pytest.mark.device
@WITH_DEVICE
def test_the_device_gives_what_numpy_gives():
    done = run("-m", SCRIPT, "--check")
    assert done.returncode == 0 and "(on the device)" in done.stdout, done.stderr


@pytest.mark.skipif(measuring.has_device(), reason="here is a device")
def test_without_a_device_the_script_says_so():
    done = run("-m", SCRIPT)
    assert done.returncode == 1 and "No device here" in done.stdout and not done.stderr
