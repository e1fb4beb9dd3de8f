"""The cost curves: vocabularies of any size, the fit, and a small run."""

import io

from rich.console import Console

from course.showcase.bench.engines import curves
from course.showcase.bench.engines.adapters import ours
from course.showcase.bench.engines.curves import run_curves
from labkit.vocabulary import Vocabulary

BYTES = Vocabulary(
    [*(bytes([byte]) for byte in range(256)), b"ab", b"abc", b"<s>", b"</s>"], eos_id=259, special_ids=[258]
)


def test_a_small_run(monkeypatch):
    monkeypatch.setattr(curves, "SIZES", (257, 600))
    monkeypatch.setattr(curves, "WORDS", (2, 4))
    monkeypatch.setattr(curves, "GROUPS", (1, 2))
    monkeypatch.setattr(curves, "ROWS", (1, 3))
    monkeypatch.setattr(curves, "make_ready", lambda vocabulary, encode: [lambda: (ours(vocabulary, encode), 1.0)])
    console = Console(file=io.StringIO(), width=100)
    data = run_curves(console, BYTES)
    printed = console.file.getvalue()
    assert all(
        title in printed for title in ("tokens in the vocabulary", "words in a choice", "rows in the batch", "n^")
    )
    assert data["versions"] == {"ours": "mask_engine"}
    sizes = {(point["curve"], point["size"]) for point in data["points"]}
    assert sizes == {
        *(("vocabulary", 257), ("vocabulary", 600), ("states", 2), ("states", 4)),
        *(("length", 18), ("length", 36), ("batch", 1), ("batch", 3)),
    }
    for point in data["points"]:
        wanted = {"batch"} if point["curve"] == "batch" else {"first_mask", "cold_mask"}
        assert wanted <= set(point["figures"])
        assert all(figure > 0 for kind in wanted for figure in point["figures"][kind].values())
