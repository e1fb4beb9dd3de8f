"""The bench, on a vocabulary small enough for a test: its cases, its table, its data. No figure is judged."""

import io
import json
import sys
import time
from importlib import import_module
from itertools import pairwise

import numpy as np
import pytest
from rich.console import Console

from course import cli
from course.showcase import bench as bench_module
from course.showcase import measuring
from course.showcase.bench import SUBJECTS, jobs, run_bench, run_labs, settings
from course.student.core.catalog import all_labs, find_lab
from labkit.vocabulary import Vocabulary
from labs.lab_05_truncation import bench as lab_05
from labs.lab_09_inside_an_engine import bench as lab_09
from labs.lab_10_jump_forward import bench as lab_10
from labs.lab_15_gpu_bitmask import bench as lab_15

TOKENS = [*(bytes([byte]) for byte in range(256)), b"0x", b"1f", b"12", b"3.", b".5", b"ada", b"@ho", b"me", b"0x1f"]
TOKENS += [b"x%d" % n for n in range(22)]
"""Every byte is one, so that any text can be written. With EOS they fill whole words of a mask: where they don't,
xgrammar's kernel masks a token of the next row."""

MODELS = ("a model that takes 0 ms", "the small model")
LAB_07 = ("each token on its own", "lift", "one state, level by level", "states on demand", "rows of the vocabulary")
LAB_15 = ("this method", "tuned")
BENCHES = [lab for lab in all_labs() if (lab.folder / "bench.py").is_file()]
PATTERNS = {subject.pattern for subject in SUBJECTS}
SMALL = Vocabulary([*TOKENS, b"</s>"], eos_id=len(TOKENS))


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    """What the bench printed, and its data."""
    out, path = io.StringIO(), tmp_path_factory.mktemp("bench") / "deep" / "bench.json"
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"PASS_SECONDS": 0, "TURNS": 1, "TOKENS": 2}.items():
            patch.setattr(lab_09, name, value)
        patch.setattr(lab_10, "ALL", lab_10.ALL[:1])
        patch.setattr(bench_module, "paired", lambda slow, fast, times: measuring.paired(slow, fast, 1))
        run_bench(Console(file=out, highlight=False, width=100), path, SMALL)
    return out.getvalue(), json.loads(path.read_text(encoding="utf-8"))


def test_every_case_is_in_the_data_with_its_ways_and_in_the_tables(bench):
    text, data = bench
    assert data["date"] == time.strftime("%Y-%m-%d") and "cores of" in data["machine"] and data["python"]
    assert "pays from pattern" in text and "bench.json" in text and all(pattern in text for pattern in PATTERNS)
    rows = data["rows"]
    kinds = {(row["lab"], row["job"], row["slow_way"], row["fast_way"]) for row in rows}
    assert {row["lab"] for row in rows} == {f"{lab.number:02}" for lab in BENCHES}
    assert {kind for kind in kinds if kind[0] < "10" or kind[0] == "15"} == {
        ("02", "one mask by walking", "partial matches", "automaton"),
        ("03", "one mask by look-up", "automaton", "table"),
        ("03", "the rows of all states", "partial matches", "ready trie"),
        ("03", "the table of all states", "every token", "ready trie"),
        ("05", "one mask with a budget", "budget mask", "plain mask"),
        ("09", "compile and first mask", "with a budget", "without"),
        *(("09", f"a step with {model}", "constrained", "free") for model in MODELS),
        *(("09", f"the first token of {model}", "with a schema", "without") for model in MODELS),
        *(("07", f"first mask: {after}", before, after) for before, after in pairwise(LAB_07)),
        ("09", "32 answers of 2 tokens by the small model", "one by one", "at once"),
        ("09", "a step with the small model, what the engine takes", "engine", "pass and sampler"),
        *(("15", f"256 rows of float32 masked, {d:.1%} of the tokens allowed", *LAB_15) for d in lab_15.DENSITIES),
    }
    assert {row["pattern"] for row in rows if row["lab"] < "07"} == PATTERNS
    assert {row["pattern"] for row in rows if row["job"] == "compile and first mask"} == {*lab_09.CONSTRAINTS}
    assert len(lab_09.CONSTRAINTS) == 4 and all(name in text for name in lab_09.CONSTRAINTS)
    clear = {"lab 15, clear", "NumPy, boolean index", "copy of the bytes", "copy of their lines"}
    assert clear <= {row["pattern"] for row in rows if row["lab"] == "15"}
    assert all(row["slow"] > 0 and row["fast"] > 0 and row["ratio"] > 0 for row in rows)


def test_a_part_that_there_is_not(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["course", "bench", "engine"])
    assert cli.main() == 2
    assert "there is no lab 'engine'" in capsys.readouterr().err
    monkeypatch.setattr(sys, "argv", ["course", "bench", "01"])
    assert cli.main() == 2
    assert "lab 01 has no bench; lab 02, " in capsys.readouterr().err


def test_the_sizes_are_50_000_and_the_whole_vocabulary():
    whole = Vocabulary([*(f"{i}".encode() for i in range(60_000)), b"</s>"], eos_id=60_000)
    assert [len(setting.texts) for setting in settings(whole)] == [50_000, 60_001]


def test_only_a_whole_vocabulary_has_an_eos_to_budget_for():
    part, whole = settings(SMALL)
    assert part.vocabulary is None and whole.vocabulary is SMALL
    assert len(list(lab_05.cases(whole))) == len(PATTERNS) and not list(lab_05.cases(part))
    from_07_on = [import_module(f"labs.{lab.name}.bench") for lab in BENCHES if lab.number >= 7]
    assert not [case for each in from_07_on for case in each.cases(part)]
    of_those = sum(len(list(each.cases(whole))) for each in from_07_on)
    assert len(list(jobs(SMALL))) == 2 * 4 * len(PATTERNS) + len(PATTERNS) + of_those


def test_pairs_take_turns(monkeypatch):
    """The ratio is that of the turns, and the medians are those of each job; alone, that of several times."""
    clock = iter([0, 4, 4, 5, 5, 11, 11, 13, 13, 17, 17, 18])
    monkeypatch.setattr(measuring.time, "perf_counter", lambda: next(clock))
    order = []
    found = measuring.paired(lambda: order.append("slow"), lambda: order.append("fast"), times=3)
    assert order == ["slow", "fast"] * 3
    assert found == (4, 1, 4)
    clock = iter([0, 1, 1, 9, 9, 11])
    assert measuring.seconds(lambda: None) == 2


def apply(monkeypatch, installed=lambda name: None):
    """What the bench printed of lab 15 alone, and its rows."""
    monkeypatch.setattr(lab_15, "find_spec", installed)
    out = io.StringIO()
    rows = run_labs(Console(file=out, width=200), SMALL, find_lab(15))
    return out.getvalue(), rows


def test_what_is_not_installed_is_named(monkeypatch):
    monkeypatch.setattr(bench_module, "find_spec", lambda name: None)
    text, rows = apply(monkeypatch)
    assert "Not installed, so not compared: torch, xgrammar. To add them: " in text
    assert len(rows) == 12 and {row.lab for row in rows} == {"15"}
    assert len({(row.job, row.pattern) for row in rows}) == 12


def test_a_method_that_leaves_other_logits_is_named(monkeypatch):
    monkeypatch.setitem(lab_15.METHODS, "lab 15, clear", lambda batch, logits: lambda: logits.fill(0))
    with pytest.raises(ValueError, match=r"lab 15, clear leaves other logits, with 0\.1% of the tokens allowed"):
        apply(monkeypatch)


def test_what_must_move():
    one, again = (lab_15.batch_of.__wrapped__(0.97, 330, 4) for _ in range(2))
    assert np.array_equal(one.logits, again.logits) and np.array_equal(one.bitmask, again.bitmask)
    assert lab_15.bytes_to_move(one) == 4 * 11 * 4 + 4 * one.forbidden.sum()
    lines = sum(one.forbidden[row, start : start + 16].any() for row in range(4) for start in range(0, 320, 16))
    assert lab_15.lines_to_move(one) == 4 * 11 * 4 + 64 * lines


@pytest.fixture
def managers(monkeypatch):
    """Those of lab 09 that the cases make, in order; a pass of the simulated model takes no time."""
    made, make = [], lab_09.structured_outputs

    def structured_outputs(vocabulary):
        made.append(make(vocabulary))
        return made[-1]

    monkeypatch.setattr(lab_09, "structured_outputs", structured_outputs)
    monkeypatch.setattr(lab_09.time, "sleep", lambda seconds: None)
    return made


def case_of_lab_09(place):
    """A case by its place after those of budgets, which come first."""
    return list(lab_09.cases(settings(SMALL)[1]))[len(lab_09.CONSTRAINTS) + place]()


def test_a_budget_is_measured_on_a_guide_that_knows_nothing_yet(monkeypatch):
    made, compile_guide = [], lab_09.compile_guide
    monkeypatch.setattr(lab_09, "compile_guide", lambda *a, **asked: made.append(asked) or compile_guide(*a, **asked))
    for place, (name, constraint) in enumerate(lab_09.CONSTRAINTS.items()):
        case = case_of_lab_09(place - len(lab_09.CONSTRAINTS))
        case.slow()
        case.fast()
        assert case.pattern == name and made[-2:] == [constraint] * 2 and case.slow.args != case.fast.args


def test_a_format_masks_every_row_of_a_constrained_step_and_none_of_a_free_one(managers):
    case = case_of_lab_09(len(lab_09.PATTERNS))
    assert case.pattern == "batch 8, [0-9]+" and case.tokens == len(SMALL)
    for _ in range(3):
        case.slow()
        case.fast()
    masked = [manager.processor.num_masked for manager in managers]
    assert masked == [8 * (lab_09.WARM_UP + 3), 0]


def test_a_batch_that_shrinks_is_an_error(managers, monkeypatch):
    monkeypatch.setattr(lab_09, "PATTERNS", ("[0-9]{3}",))
    with pytest.raises(ValueError, match=r"[0-7] of 8 requests with .* are left"):
        case_of_lab_09(1)


def test_a_new_schema_is_compiled_and_a_cached_one_is_not(managers):
    for place, misses in ((9, 4), (10, 1)):
        case = case_of_lab_09(place)
        for _ in range(3):
            case.slow()
            case.fast()
        cache = managers[-1].cache
        assert (cache.misses, cache.hits, cache.num_waiting()) == (misses, 4 - misses, 0)
