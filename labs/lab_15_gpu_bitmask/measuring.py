"""Checks and measurements of the lab's kernels on a device: every bit, and the share of the memory bandwidth.

    python -m labs.lab_15_gpu_bitmask.measuring                 check, measure, print a table
    python -m labs.lab_15_gpu_bitmask.measuring --evidence      and add it to device_evidence.json in the lab
    python -m labs.lab_15_gpu_bitmask.measuring --check         only check; without a device in Triton's
                                                                      interpreter, on small arrays

It needs torch and Triton, and xgrammar for the comparison with its Triton kernel. The bytes that must move are those of
``least_bytes``. The copy bandwidth is that of a large copy on the same device in the same run, its reads and
writes counted. Times are medians of 50 launches between device events, after 10 launches to warm up; the kernels take
turns, and before each launch a buffer of 1 GiB is cleared, so that nothing is in the device's cache.
"""

import argparse
import hashlib
import itertools
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    import torch
    import triton  # noqa: F401
except ImportError:
    torch: Any = None  # type: ignore[no-redef]

LAB = Path(__file__).resolve().parent
EVIDENCE = LAB / "device_evidence.json"
ROWS, TOKENS = 256, 131_072
SHARES = (0.001, 0.5, 0.97)
FORMATS = ("float32", "float16", "bfloat16")
BLOCKS = (1024, 2048, 4096, 8192)
WARM_UP, LAUNCHES = 10, 50
COPIED = 1 << 29
"""Bytes of the copy that gives the bandwidth."""

CLEARED = 1 << 30
"""Bytes of the buffer that is cleared between launches."""


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


def timed(launches: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Return the median seconds of each launch on the device; the launches take turns.

    Before each launch the device clears a large buffer. That empties its cache, and keeps it busy while the host
    prepares the launch, which takes longer than some of the kernels.
    """
    rubbish = torch.empty(CLEARED, dtype=torch.uint8, device="cuda")
    found: dict[str, list[tuple[Any, Any]]] = {name: [] for name in launches}
    for turn in range(WARM_UP + LAUNCHES):
        for name, launch in launches.items():
            start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            rubbish.zero_()
            start.record()
            launch()
            end.record()
            if turn >= WARM_UP:
                found[name].append((start, end))
    torch.cuda.synchronize()
    return {name: median(start.elapsed_time(end) for start, end in pairs) / 1000 for name, pairs in found.items()}


def copy_bandwidth() -> float:
    """Return the bytes per second of a large copy on the device, reads and writes counted."""
    source = torch.zeros(COPIED, dtype=torch.uint8, device="cuda")
    target = torch.ones_like(source)
    return 2 * COPIED / timed({"copy": lambda: target.copy_(source)})["copy"]


def measured(name: str, share: float, bandwidth: float) -> dict[str, Any]:
    """Return one line of the table: each time, and our share of the bandwidth for the bytes that must move."""
    from labs.lab_15_gpu_bitmask.solution import apply_on_device, least_bytes

    words = _bitmask(ROWS, TOKENS, 1, share)
    bitmask = torch.from_numpy(words).to("cuda")
    logits = some_logits(name, ROWS, TOKENS, "cuda")
    launches: dict[str, Callable[[], object]] = {
        f"lab 15, block {block}": partial(apply_on_device, logits, bitmask, TOKENS, block=block) for block in BLOCKS
    }
    launches |= dict(_others(logits, bitmask))
    seconds = timed(launches)
    ours = min(took for name, took in seconds.items() if name.startswith("lab 15"))
    least = least_bytes(words, TOKENS, TOKENS, logits.element_size())
    return {
        "format": name,
        "allowed": share,
        "least_bytes": least,
        "seconds": seconds,
        "share_of_copy_bandwidth": least / ours / bandwidth,
        "others_to_ours": {other: took / ours for other, took in seconds.items() if not other.startswith("lab 15")},
    }


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


# Evidence -------------------------------------------------------------------------------------------------------------


def environment() -> dict[str, Any]:
    """Return the device, its driver, the versions, and the hashes of the files that were run."""
    smi = os.popen("nvidia-smi --query-gpu=driver_version --format=csv,noheader").read().split("\n")[0].strip()
    packages = {}
    for name in ("torch", "triton", "xgrammar", "numpy"):
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            packages[name] = "not installed"
    files = (Path(__file__).resolve(), LAB / "solution.py")
    return {
        "device": torch.cuda.get_device_name(),
        "driver": smi or "unknown",
        "cuda": torch.version.cuda,
        "python": platform.python_version(),
        "packages": packages,
        "sha256": {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files},
        "method": " ".join((__doc__ or "").split("\n\n", 2)[-1].split()),
    }


def print_table(run: dict[str, Any]) -> None:
    """Print the run, a line for each format and share."""
    print(
        f"{run['device']}, driver {run['driver']}, copy {run['copy_bandwidth'] / 1e9:,.0f} GB/s, {run['checks']} checks"
    )
    for line in run["lines"]:
        best = min(took for name, took in line["seconds"].items() if name.startswith("lab 15"))
        others = ", ".join(f"{name} {ratio:.2f}" for name, ratio in line["others_to_ours"].items())
        share = f"{line['share_of_copy_bandwidth']:.0%} of the copy's bandwidth"
        print(f"{line['format']:9} {line['allowed']:6.1%} allowed  {best * 1e6:8.1f} us, {share}; times ours: {others}")


def main(args: Sequence[str]) -> int:
    """Check, measure, print, and keep the evidence; 1 if there is no device to measure on."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--check", action="store_true", help="only check that the kernels are right")
    parser.add_argument("--evidence", action="store_true", help=f"add the run to {EVIDENCE.name}")
    options = parser.parse_args(args)
    there = has_device()
    if not there and not options.check:
        print(
            "There is no device here that torch and Triton can use. --check runs the kernels in Triton's interpreter."
        )
        return 1
    prepare(interpret=not there)
    checks = check_all("cuda" if there else "cpu", large=there)
    print(f"{checks} comparisons with NumPy, no bit differs ({'on the device' if there else 'interpreter'})")
    if options.check:
        return 0
    bandwidth = copy_bandwidth()
    lines = [measured(name, share, bandwidth) for name in FORMATS for share in SHARES]
    run = {**environment(), "checks": checks, "copy_bandwidth": bandwidth, "lines": lines}
    print_table(run)
    if options.evidence:
        evidence = json.loads(EVIDENCE.read_text(encoding="utf-8"))
        evidence["runs"].append(run)
        evidence["why_empty"] = ""
        EVIDENCE.write_text(json.dumps(evidence, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
