"""Checks the lab's kernels on a device, bit for bit, and measures the share of the memory bandwidth that they reach.

    python -m labs.lab_15_gpu_bitmask.measuring             check, measure, print a table
    python -m labs.lab_15_gpu_bitmask.measuring --check     only check; without a device in Triton's interpreter,
                                                            on small arrays

It needs torch and Triton, and xgrammar for the comparison with its Triton kernel. Times are Triton's ``do_bench``,
which clears the device's cache before each launch. The bytes that must move are those of ``least_bytes``; the copy's
bandwidth counts its reads and writes.
"""

import itertools
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    import torch
    import triton
except ImportError:
    torch: Any = None  # type: ignore[no-redef]

ROWS, TOKENS = 256, 131_072
SHARES = (0.001, 0.5, 0.97)
FORMATS = ("float32", "float16", "bfloat16")
BLOCKS = (1024, 2048, 4096, 8192)
COPIED = 1 << 29
"""Bytes of the copy that gives the bandwidth."""


def prepare(*, interpret: bool) -> None:
    """Make the kernels Triton's; call it before the lab is imported."""
    os.environ["LAB_GPU"] = "triton"
    if interpret:
        os.environ["TRITON_INTERPRET"] = "1"


def has_device() -> bool:
    """Return whether torch and Triton are installed, and torch sees a device."""
    return torch is not None and bool(torch.cuda.is_available())


# Right, bit for bit ---------------------------------------------------------------------------------------------------


def as_numpy(tensor: Any) -> NDArray[Any]:
    """Return a tensor as the lab's NumPy functions take it: raw bits where it is bfloat16."""
    host = tensor.detach().cpu()
    bits = host.view(torch.int16) if host.dtype == torch.bfloat16 else host
    found: NDArray[Any] = bits.numpy()
    return found.view(np.uint16) if host.dtype == torch.bfloat16 else found


def some_logits(name: str, rows: int, columns: int, device: str, seed: int = 0) -> Any:
    """Return random logits of a format, infinities and NaN among them."""
    values = np.random.default_rng(seed).normal(0, 8, (rows, columns)).astype(np.float32)
    values[:, ::7] = np.array([np.inf, -np.inf, np.nan, -0.0], np.float32)[np.arange(values[:, ::7].shape[1]) % 4]
    return torch.from_numpy(values).to(device=device, dtype=getattr(torch, name))


def check_all(device: str, *, large: bool) -> int:
    """Compare every kernel with NumPy, and return the number of comparisons.

    Raises:
        AssertionError: naming the case, where a bit differs.
    """
    shapes = [(3, 100, 100, 32), (5, 70, 128, 64), (4, 1000, 1003, 1024), *[(ROWS, TOKENS, TOKENS, 4096)] * large]
    cases = [*itertools.product(FORMATS, shapes, ("all rows", "some rows", "states"))]
    for name, shape, kernel in cases:
        _check_masks(name, shape, kernel, device)
    _check_walks(device)
    return len(cases) + 1


def _bitmask(rows: int, tokens: int, seed: int, share: float = 0.5) -> NDArray[np.int32]:
    """Return a random bitmask, with garbage after the last token."""
    from labs.lab_15_gpu_bitmask.solution import pack

    words = pack(np.random.default_rng(seed).random((rows, tokens)) < share)
    if tokens % 32:
        words[:, -1] |= np.int32(-1) << np.int32(tokens % 32)
    return words


def _same(got: Any, expected: NDArray[Any], what: str) -> None:
    mine = np.ascontiguousarray(as_numpy(got)).view(np.uint8)
    assert np.array_equal(mine, np.ascontiguousarray(expected).view(np.uint8)), f"{what}: the device differs from NumPy"


def _check_masks(name: str, shape: tuple[int, int, int, int], kernel: str, device: str) -> None:
    from labs.lab_15_gpu_bitmask.solution import apply, apply_on_device, apply_states_on_device

    rows, tokens, columns, block = shape
    logits = some_logits(name, rows, columns, device)
    expected = as_numpy(logits).copy()
    if kernel == "states":
        table, states = _bitmask(7, tokens, 7), np.random.default_rng(rows).integers(-1, 7, rows).astype(np.int32)
        apply(expected, table[states], tokens, np.flatnonzero(states >= 0).astype(np.int32))
        on_device, words = (torch.from_numpy(each).to(device) for each in (states, table))
        apply_states_on_device(logits, on_device, words, tokens, block=block)
    else:
        bitmask, chosen = _bitmask(rows, tokens, rows), None if kernel == "all rows" else [rows - 1, 0]
        apply(expected, bitmask, tokens, chosen)
        picked = None if chosen is None else torch.tensor(chosen, dtype=torch.int32, device=device)
        apply_on_device(logits, torch.from_numpy(bitmask).to(device), tokens, rows=picked, block=block)
    _same(logits, expected, f"{kernel}, {name}[{rows}, {columns}], {tokens} tokens")


def _check_walks(device: str, rows: int = 64) -> None:
    from labs.lab_15_gpu_bitmask.solution import SYMBOLS, advance_on_device

    rng = np.random.default_rng(5)
    steps = rng.integers(0, 9, (9, SYMBOLS)).astype(np.int32)
    walks = [rng.integers(0, SYMBOLS, rng.integers(1, 12)).tolist() for _ in range(50)]
    offsets = np.fromiter(itertools.accumulate((len(walk) for walk in walks), initial=0), np.int32)
    symbols = np.fromiter(itertools.chain.from_iterable(walks), np.int16)
    states, tokens = rng.integers(-1, 9, rows).astype(np.int32), rng.integers(0, 50, rows).astype(np.int32)
    expected = states.copy()
    for row in np.flatnonzero(states >= 0):
        for symbol in walks[tokens[row]]:
            expected[row] = steps[expected[row], symbol]
    mine, *rest = (torch.from_numpy(each).to(device) for each in (states, tokens, symbols, offsets, steps))
    advance_on_device(mine, *rest)
    _same(mine, expected, "advance")


# Measured -------------------------------------------------------------------------------------------------------------


def seconds(launch: Callable[[], object]) -> float:
    """Return the median seconds of a launch on the device."""
    return float(triton.testing.do_bench(launch, return_mode="median")) / 1000


def copy_bandwidth() -> float:
    """Return the bytes per second of a large copy on the device, reads and writes counted."""
    source = torch.zeros(COPIED, dtype=torch.uint8, device="cuda")
    target = torch.ones_like(source)
    return 2 * COPIED / seconds(lambda: target.copy_(source))


def line(name: str, share: float, bandwidth: float) -> str:
    """Return a line of the table: our time in the best block, its share of the bandwidth, and the others' times."""
    from labs.lab_15_gpu_bitmask.solution import apply_on_device, least_bytes

    words = _bitmask(ROWS, TOKENS, 1, share)
    bitmask, logits = torch.from_numpy(words).to("cuda"), some_logits(name, ROWS, TOKENS, "cuda")
    ours = min(seconds(partial(apply_on_device, logits, bitmask, TOKENS, block=block)) for block in BLOCKS)
    reached = least_bytes(words, TOKENS, TOKENS, logits.element_size()) / ours / bandwidth
    others = ", ".join(f"{other} {seconds(launch) / ours:.2f}" for other, launch in _others(logits, bitmask))
    return (
        f"{name:9} {share:6.1%} allowed  {ours * 1e6:8.1f} us, {reached:.0%} of the copy's bandwidth; "
        f"times ours: {others}"
    )


def _others(logits: Any, bitmask: Any) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield xgrammar's Triton kernel, masking compiled by torch, and masked_fill_ with precomputed booleans."""

    def masking(values: Any, words: Any) -> Any:
        bits = (words.unsqueeze(-1) >> torch.arange(32, dtype=torch.int32, device=words.device)) & 1
        return values.masked_fill_(bits.reshape(len(words), -1)[:, : values.shape[1]] == 0, float("-inf"))

    compiled = torch.compile(masking, dynamic=False)
    yield "torch.compile", lambda: compiled(logits, bitmask)
    bits = torch.arange(32, dtype=torch.int32, device="cuda")
    forbidden = ((bitmask.unsqueeze(-1) >> bits) & 1).reshape(len(bitmask), -1) == 0
    yield "masked_fill_, booleans ready", lambda: logits.masked_fill_(forbidden, float("-inf"))
    try:
        import xgrammar
    except ImportError:
        return
    apply = partial(xgrammar.apply_token_bitmask_inplace, backend="triton")
    yield "xgrammar, Triton", lambda: apply(logits, bitmask)


def main(args: Sequence[str]) -> int:
    """Check, measure and print; 1 if there is no device to measure on."""
    there, only_check = has_device(), "--check" in args
    if not there and not only_check:
        print("No device here that torch and Triton can use. --check runs the kernels in Triton's interpreter.")
        return 1
    prepare(interpret=not there)
    checks = check_all("cuda" if there else "cpu", large=there)
    print(f"{checks} comparisons with NumPy, no bit differs ({'on the device' if there else 'interpreter'})")
    if not only_check:
        bandwidth = copy_bandwidth()
        print(f"{torch.cuda.get_device_name()}: a copy moves {bandwidth / 1e9:,.0f} GB/s")
        for name, share in itertools.product(FORMATS, SHARES):
            print(line(name, share, bandwidth))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
