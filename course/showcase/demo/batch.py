"""The demo's last scene: a batch of 256 requests, masked by packed bitmasks."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray
from rich.cells import set_cell_size

from course.showcase.demo import Stage
from course.showcase.demo.screen import can_print, printable
from labkit.pictures import quantity
from labkit.vocabulary import Vocabulary
from labs.assembled import Guide, compile_guide
from labs.lab_14_gpu_bitmask.given import tuned
from labs.lab_14_gpu_bitmask.solution import bytes_per_step, fill, unpack, words_for

BATCH, PADDING = 256, 96
_PATTERNS = {
    "a price": r"[0-9]+(\.[0-9]{2})? ?EUR",
    "a date": "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])",
    "hexadecimal": "0x[0-9a-f]+",
}
_SHOWN, _LONGEST = 6, 4


@dataclass(frozen=True)
class BatchRequest:
    """A request in the middle of its answer; ``guide`` is None where it has no constraint."""

    what: str
    guide: Guide | None
    state: int = 0
    text: str = ""


@dataclass(frozen=True)
class Masked:
    """A batch after its masks were applied: for each row the likeliest token before and after, and how many are left.

    ``left`` is of the constrained rows alone.
    """

    requests: Sequence[BatchRequest]
    bitmask: NDArray[np.int32]
    favourites: Sequence[int]
    chosen: Sequence[int]
    left: Sequence[int]
    seconds: float


def batch_of(vocabulary: Vocabulary, size: int = BATCH) -> list[BatchRequest]:
    """Return requests of three kinds and, as every fourth, one without a constraint; each has up to four tokens."""
    guides = {what: compile_guide(vocabulary, regex=pattern) for what, pattern in _PATTERNS.items()}
    rng, kinds, requests = np.random.default_rng(0), [*guides, "free"], []
    for row in range(size):
        what = kinds[row % 4]
        if not (guide := guides.get(what)):
            requests.append(BatchRequest(what, None))
            continue
        state, ids = guide.initial, list[int]()
        for _ in range(int(rng.integers(0, _LONGEST + 1))):
            allowed = np.flatnonzero(unpack(guide.mask(state)[None], len(vocabulary))[0])
            allowed = allowed[allowed != vocabulary.eos_id]
            if not len(allowed):
                break
            ids.append(int(rng.choice(allowed)))
            state = guide.advance(state, ids[-1])
        requests.append(BatchRequest(what, guide, state, vocabulary.decode(ids)))
    return requests


def masked(requests: Sequence[BatchRequest], vocab_size: int) -> Masked:
    """Fill the bitmask of a batch, and apply it to random logits with padding."""
    bitmask = np.zeros((len(requests), words_for(vocab_size)), np.int32)
    masks = [request.guide.mask if request.guide else None for request in requests]
    rows = fill(masks, [request.state for request in requests], bitmask, vocab_size)
    logits = np.random.default_rng(1).random((len(requests), vocab_size + PADDING), dtype=np.float32)
    favourites = logits[:, :vocab_size].argmax(axis=1).tolist()
    start = perf_counter()
    tuned.apply(logits, bitmask, vocab_size, rows)
    seconds = perf_counter() - start
    chosen, left = logits[:, :vocab_size].argmax(axis=1).tolist(), np.isfinite(logits[rows]).sum(axis=1).tolist()
    return Masked(requests, bitmask, favourites, chosen, left, seconds)


def play(stage: Stage) -> None:
    """Mask a batch, and show some of its rows, its sizes and its time."""
    console, vocabulary = stage.console, stage.vocabulary
    found = masked(batch_of(vocabulary), len(vocabulary))
    n_rows, n_columns, constrained = len(found.requests), len(vocabulary) + PADDING, len(found.left)
    console.print(
        f"\n[bold]A batch of {n_rows}[/] (lab 14), masked by packed words. {constrained} requests are "
        f"in the\nmiddle of a price, a date or a hexadecimal number; every fourth has no\nconstraint. Some of them:\n"
    )
    for row in range(_SHOWN):
        line = _line(found, vocabulary, row)
        console.print(line if can_print(console, line) else ascii(line)[1:-1], markup=False, highlight=False)
    sent = bytes_per_step(n_rows, constrained, len(vocabulary))
    console.print(
        f"\n{n_rows} rows of {n_columns:,} float32 logits are {n_rows * n_columns * 4 / 2**20:.0f} MiB, their masks\n"
        f"{found.bitmask.nbytes / 2**20:.1f} MiB; as booleans, {sent['booleans'] / 2**20:.0f} MiB.\n"
        f"Applied here in [bold]{quantity(found.seconds, 's')}[/]: {constrained * n_columns - sum(found.left):,} "
        f"logits are -inf now, {PADDING} of each row padding.\n"
        f"Where all rows lie on the device, a step sends {sent['state numbers']:,} bytes,\nthe states, or nothing.",
        highlight=False,
    )


def _line(found: Masked, vocabulary: Vocabulary, row: int) -> str:
    def named(token_id: int) -> str:
        text = vocabulary.texts()[token_id] or vocabulary.token_bytes[token_id]
        return "EOS" if token_id == vocabulary.eos_id else printable(repr(text), 9)

    request, words = found.requests[row], found.bitmask[row].view(np.uint32)
    written = printable(repr(request.text), 8) if request.guide else ""
    first = int(np.flatnonzero(words)[0])
    word = f"word {first:4}: {words[first]:08X}" if request.guide else "each word: FFFFFFFF"
    tokens = f"wants {set_cell_size(named(found.favourites[row]), 9)} gets {named(found.chosen[row])}"
    return f"  row {row}  {request.what:11} {set_cell_size(written, 8)} {word:19} {tokens}"
