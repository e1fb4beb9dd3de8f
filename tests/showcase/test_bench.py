"""The bench, on a vocabulary small enough for a test: each lab's table, and its data. No figure is judged."""

import io
import json
import sys
import time

import pytest
from rich.console import Console

from course import cli
from course.showcase import bench as bench_module
from course.showcase import measuring
from course.showcase.bench import benches, run_bench
from labkit.vocabulary import Vocabulary
from labs.lab_10_jump_forward import bench as lab_10
from labs.lab_15_gpu_bitmask import bench as lab_15

TOKENS = [*(bytes([byte]) for byte in range(256)), b"0x", b"1f", b"12", b"3.", b".5", b"ada", b"@ho", b"me", b"0x1f"]
TOKENS += [b"x%d" % n for n in range(22)]
"""Every byte is one, so that any text can be written. With EOS they fill whole words of a mask: where they don't,
xgrammar's kernel masks a token of the next row."""

SMALL = Vocabulary([*TOKENS, b"</s>"], eos_id=len(TOKENS))
MOST_LINES = 60


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    """What the bench printed, and its data."""
    out, path = io.StringIO(), tmp_path_factory.mktemp("bench") / "deep" / "bench.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lab_10, "ALL", lab_10.ALL[:1])
        patch.setattr(bench_module, "medians", lambda jobs, turns: measuring.medians(jobs, 1))
        run_bench(Console(file=out, highlight=False, width=150), path, SMALL)
    return out.getvalue(), json.loads(path.read_text(encoding="utf-8"))


def test_each_lab_has_one_table_and_all_of_it_is_in_the_data(bench, monkeypatch):
    monkeypatch.setattr(lab_10, "ALL", lab_10.ALL[:1])
    text, data = bench
    assert data["date"] == time.strftime("%Y-%m-%d") and "cores of" in data["machine"] and "bench.json" in text
    found = iter(data["rows"])
    for lab, module in benches():
        table = module.bench(SMALL)
        assert f"\n{table.job} ({lab.label})\n" in text and all(method in text for method in table.methods)
        for name in table.rows:
            row = next(found)
            assert (row["lab"], row["job"], row["name"]) == (f"{lab.number:02}", table.job, name)
            assert [*row["seconds"]] == [*table.methods] and name in text
            assert row["seconds"][table.methods[-1]] is not None
    assert next(found, None) is None


def test_a_labs_bench_is_short():
    for lab, _ in benches():
        assert (lab.folder / "bench.py").read_text(encoding="utf-8").count("\n") <= MOST_LINES, lab.label


def test_a_part_that_there_is_not(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["course", "bench", "engine"])
    assert cli.main() == 2
    assert "there is no lab 'engine'" in capsys.readouterr().err
    monkeypatch.setattr(sys, "argv", ["course", "bench", "01"])
    assert cli.main() == 2
    assert "lab 01 has no bench; lab 02, " in capsys.readouterr().err


def test_jobs_take_turns(monkeypatch):
    """The medians are those of each job; one that's slow takes no further turn, and None has no time."""
    clock = iter([0, 4, 4, 5, 5, 11, 11, 13, 13, 17, 17, 20, 20, 23])
    monkeypatch.setattr(measuring.time, "process_time", lambda: next(clock))
    order = []
    jobs = [lambda: order.append("one"), None, lambda: order.append("two")]
    assert measuring.medians(jobs, turns=3, longest=100) == [4, None, 2]
    assert order == ["one", "two"] * 3
    clock = iter([0, 9, 9, 10, 10, 11])
    assert measuring.medians(jobs, turns=2, longest=5) == [9, None, 1]


def test_what_is_not_installed_is_named(monkeypatch, tmp_path):
    for module in (bench_module, lab_15):
        monkeypatch.setattr(module, "find_spec", lambda name: None)
    out = io.StringIO()
    run_bench(Console(file=out, width=200), tmp_path / "b.json", SMALL, "15")
    assert "Not installed, so not compared: torch, xgrammar. To add them: " in out.getvalue()
    rows = json.loads((tmp_path / "b.json").read_text(encoding="utf-8"))["rows"]
    assert len(rows) == 3 and {row["seconds"]["xgrammar"] for row in rows} == {None}


def test_a_method_that_leaves_other_logits_is_named(monkeypatch):
    monkeypatch.setattr(lab_15, "apply", lambda logits, bitmask, columns: logits.fill(0))
    with pytest.raises(ValueError, match=r"clear leaves other logits, with 0\.1% of the tokens allowed"):
        lab_15.jobs(0.001, len(SMALL))
