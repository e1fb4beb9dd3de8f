"""The demo, on a vocabulary small enough for a test: its words, its promises, its last line and its pictures."""

import base64
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
import regex
from jsonschema import Draft202012Validator
from rich.console import Console

from course.showcase import demo
from course.showcase.demo import Stage, batch
from course.showcase.demo.costs import costs, patterns
from course.showcase.demo.engine import OBJECTS, objects
from course.showcase.demo.objects import SCHEMA, all_objects, guided, verdict
from course.showcase.demo.runs import CHATTER, STEPS, all_runs, models
from course.showcase.demo.screen import printable
from course.student.core.catalog import find_lab
from course.student.run.banner import grade_command
from labkit.vocabulary import Vocabulary, data_file
from labs.assembled import compile_guide
from labs.lab_03_token_lifting.solution import build_trie

ODD = ["\x1b[31m", "\n", "\t", "0x", "12", "3.", "#ff", "é", "→", "世界", "\u202e", "0xg"]
TEXTS = [*map(chr, range(32, 127)), *CHATTER, *ODD]
SMALL = Vocabulary(
    [*(f"<SPECIAL_{i}>".encode() for i in range(1000)), *(text.encode() for text in TEXTS), b"\xe4\xb8", b""],
    eos_id=2,
    special_ids=range(1000),
)


class SmallVocabulary:
    """In place of the class: its real vocabulary takes a second to read."""

    @staticmethod
    def tekken():
        return SMALL


def use_small(monkeypatch):
    monkeypatch.setattr(demo, "Vocabulary", SmallVocabulary)
    monkeypatch.setattr(demo, "first_ids", lambda vocabulary: vocabulary)


def run(monkeypatch, folder, file, long=True):
    """The demo on the small vocabulary, printed to this file; its exit status."""
    use_small(monkeypatch)
    console = Console(file=file, highlight=False, soft_wrap=True, width=80)
    return demo.run_demo(console, str(folder), quick=True, long=long)


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """What the demo printed, and the folder of its pictures."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        out, folder = io.StringIO(), tmp_path_factory.mktemp("demo") / "deep" / "out"
        assert run(monkeypatch, folder, out) == 0
        return out.getvalue(), folder


def test_the_last_line_is_the_command_that_starts_lab_01(shown):
    text, _ = shown
    assert text.splitlines()[-1] == grade_command([find_lab(1)])
    assert find_lab(1).path in text.splitlines()[-1] or text.splitlines()[-1].endswith("test 01")


def test_by_default_it_is_two_screens_with_the_model_the_race_and_the_next_command(monkeypatch, tmp_path):
    out = io.StringIO()
    assert run(monkeypatch, tmp_path / "out", out, long=False) == 0
    text = out.getvalue()
    assert len(text.splitlines()) <= 90 and text.splitlines()[-1] == grade_command([find_lab(1)])
    assert text.count("without a mask  ") == 2 and "final  mask with budget" in text
    first, second = text.partition("Shipped with")[0].split("without a mask  ")[1:]
    assert "not valid: prose around it" in first and "valid, and says what the prompt says" in first
    assert "not valid: " not in second and second.count("valid, but not what the prompt says") == 2
    assert "naive (lab 01)" in text and "python3 -m course demo --long" in text


def test_nothing_that_moves_the_cursor_is_printed_and_lines_fit_a_terminal(shown):
    """Tokens hold escapes, newlines and characters that turn the direction of writing."""
    text, _ = shown
    assert not [char for char in text if not char.isprintable() and char != "\n"]
    prose = [line for line in text.splitlines() if not line.startswith(("Pictures: ", "#[0-9a-f]"))]
    assert max(map(len, prose)) <= 80, max(prose, key=len)


def test_the_report_says_what_was_measured(shown):
    text, _ = shown
    assert "generating (6 parts) ..." in text and "measuring (2 parts) ..." in text
    assert f"{len(SMALL):,} tokens" in text
    assert all(subject.pattern in text and what in text for what, subject in [*patterns().items()][1:])
    assert re.search(r"naive \(lab 01\) .*s, automaton \(lab 02\) .*s,\nlook-up \(lab 03\) .*s\.", text)
    assert re.search(
        r"The automaton took \d+ times less than the naive mask, the look-up \d+ times less", text.replace("\n", " ")
    )
    cut = re.search(r"Of 6 masked answers (\d+) were cut off before their end; with the budget mask, 0\.", text)
    assert cut and int(cut[1]) == text.count("  CUT") > 0
    assert all(json.dumps(part) in text for part in SCHEMA["properties"].values()) and text.count("}  valid\n") == 3


def test_the_pictures_are_written_and_well_formed(shown):
    text, folder = shown
    assert sorted(path.name for path in folder.iterdir()) == ["automaton.svg", "cost.svg"]
    for path in folder.iterdir():
        assert ElementTree.fromstring(path.read_text(encoding="utf-8")).tag == "{http://www.w3.org/2000/svg}svg"
        assert str(path) in text


def test_what_comes_out():
    """Masked: a prefix of a match, and a whole one unless it was cut. With a budget: always a whole one."""
    runs = [job() for job in all_runs(SMALL, build_trie(SMALL.texts()))]
    assert {run.what for run in runs} == {*patterns()} - {"a decimal number"} and len(runs) == 6
    for run in runs:
        source = run.pattern
        assert regex.fullmatch(source, run.masked.text, partial=True), (source, run.masked)
        assert run.masked.cut or re.fullmatch(source, run.masked.text), (source, run.masked)
        assert not run.budgeted.cut and re.fullmatch(source, run.budgeted.text), (source, run.budgeted)
    assert any(run.masked.cut for run in runs), "the digit lover must be cut, or nothing is shown"
    chatter = f"(?:{'|'.join(map(re.escape, CHATTER))}){{{STEPS}}}"
    assert all(re.fullmatch(chatter, run.free.text) for run in runs if run.model == "adversary")
    assert not any(regex.fullmatch(run.pattern, run.free.text) for run in runs)


def test_every_model_writes_a_valid_object():
    """``jsonschema`` is the judge; without the mask none of them writes JSON at all."""
    written = [job() for job in all_objects(SMALL)]
    assert [each.model for each in written] == ["adversary", "digit lover", "random"]
    for each in written:
        value = json.loads(each.text)
        assert Draft202012Validator(SCHEMA).is_valid(value) and each.verdict == "valid", each
        assert list(value) == [key for key in SCHEMA["properties"] if key in value], "in the order of the schema"
        assert verdict(each.free) != "valid"
    assert written[0].free == "".join(CHATTER)


def test_the_budget_ends_every_object():
    """From the fewest tokens that suffice on, whatever a model wants; below that there is none."""
    guide = compile_guide(SMALL, json_schema=SCHEMA, whitespace="compact")
    fewest = int(guide.tokens_to_accept(guide.initial)) + 1
    for model in models(SMALL).values():
        for budget in (fewest, fewest + 1, fewest + 9):
            ids = guided(model, guide, SMALL, budget)
            assert len(ids) <= budget and ids[-1] == SMALL.eos_id and verdict(SMALL.decode(ids)) == "valid"
        with pytest.raises(ValueError, match="no token"):
            guided(model, guide, SMALL, fewest - 1)


def test_jumps_save_passes_and_keep_to_the_pattern():
    played = [job() for job in objects()]
    for (prompt, pattern), plain, jumped in zip(OBJECTS, played[::2], played[1::2], strict=True):
        assert plain[0] == jumped[0] == prompt
        assert re.fullmatch(pattern, plain[1]) and re.fullmatch(pattern, jumped[1])
        assert 0 < jumped[2] < plain[2] <= len(plain[1])


def test_costs_are_measured_at_growing_sizes():
    measured = [job() for job in costs(SMALL, patterns()["a decimal number"])]
    assert [size for size, _ in measured] == [1000, len(SMALL)]
    assert all(len(times) == 3 and min(times.values()) > 0 for _, times in measured)


def test_a_console_without_unicode(monkeypatch, tmp_path):
    """Strict ASCII but for what the tokens hold, which the command's console replaces by question marks."""
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii", errors="replace")
    assert run(monkeypatch, tmp_path, out) == 0
    out.flush()
    text = raw.getvalue().decode("ascii")
    automaton = text.partition("The automaton of")[2].partition("Pictures:")[0]
    chart = text.partition("median of 3:")[2].partition("\nAt ")[0]
    assert "?" not in automaton and "?" not in chart and "->" in automaton
    assert text.rstrip().splitlines()[-1] == grade_command([find_lab(1)])


def test_a_text_on_one_line():
    cases = {("abc", 3): "abc", ("abcd", 3): "...", ("abcdefgh", 7): "abcd...", ("a\nb\t", 20): r"a\nb\t", ("", 5): ""}
    cases |= {("\x1b[31m", 20): r"\x1b[31m", ("\u202e", 20): r"\u202e", ("é→", 5): "é→"}
    assert {case: printable(*case) for case in cases} == cases


def test_quick_is_a_part_of_the_real_vocabulary():
    whole = Vocabulary([f"{i}".encode() for i in range(20_000)], eos_id=2, special_ids=range(1000))
    small = demo.first_ids(whole)
    assert (len(small), small.eos_id, small.special_ids) == (16_000, 2, frozenset(range(1000)))
    assert small.token_bytes == whole.token_bytes[:16_000]


def test_the_chatter_is_in_the_real_vocabulary():
    """What the adversary wants must be tokens, or the demo would show something else."""
    content = json.loads(data_file("tekken_240911.json", "the Tekken vocabulary").read_text("utf-8"))
    tokens = {base64.b64decode(entry["token_bytes"]) for entry in content["vocab"]}
    assert not [text for text in CHATTER if text.encode() not in tokens]


# A copy without references ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A recorded run on the small vocabulary, as a handout's file gives it back."""
    file = tmp_path_factory.mktemp("recorded") / "recorded.json"
    with pytest.MonkeyPatch.context() as patch:
        use_small(patch)
        file.write_text(demo.record(Console(file=io.StringIO()), quick=True).as_text(), encoding="utf-8")
    return demo.load_recording(file)


def replay(recorded, monkeypatch, folder, missing=range(15), long=True, **options):
    """What the demo prints in a copy that lacks the references of these labs."""
    monkeypatch.setattr(demo, "load_recording", lambda: recorded)
    monkeypatch.setattr(demo, "without_reference", lambda numbers: [n for n in numbers if n in missing])
    monkeypatch.setattr(demo, "Vocabulary", SmallVocabulary)
    out = io.StringIO()
    console = Console(file=out, highlight=False, soft_wrap=True, **options)
    assert demo.run_demo(console, str(folder / "out"), long=long) == 0
    return out.getvalue()


def test_a_recorded_run_is_shown_and_marked(recorded, monkeypatch, tmp_path):
    text = replay(recorded, monkeypatch, tmp_path)
    assert text.count("RECORDED\n") == len(demo.LONG) and f"a run of {recorded.where}" in text
    short = replay(recorded, monkeypatch, tmp_path / "short", long=False)
    assert short.count("RECORDED\n") == len(demo.SHORT) and "not valid: " in short
    for scene in map(recorded.scenes.__getitem__, demo.LONG):
        assert f"RECORDED\n{re.sub(chr(27) + '[^m]*m', '', scene)}" in text
    for words in ("not valid: ", f"{len(SMALL):,} tokens", "Pictures: ", "A batch of 256"):
        assert words in text
    assert "\x1b" not in text and "parts) ..." not in text
    for name, svg in recorded.pictures.items():
        assert (tmp_path / "out" / name).read_text(encoding="utf-8") == svg


@pytest.mark.parametrize(("no_color", "start"), [(False, "\x1b[1;31m"), (True, "\x1b[1m")])
def test_a_recorded_run_has_its_colours_on_a_terminal(recorded, monkeypatch, tmp_path, no_color, start):
    options = {"force_terminal": True, "color_system": "standard", "no_color": no_color}
    assert f"{start}not valid: " in replay(recorded, monkeypatch, tmp_path, **options)


def test_only_scenes_without_references_are_replayed(recorded, monkeypatch, tmp_path):
    text = replay(recorded, monkeypatch, tmp_path, missing=range(4, 15))
    assert text.count("RECORDED\n") == 5 and "measuring (2 parts)" in text


def test_without_references_and_recording_there_is_no_demo(monkeypatch, tmp_path):
    monkeypatch.setattr(demo, "without_reference", lambda numbers: [3, 8])
    with pytest.raises(ValueError, match="neither the references of labs 03, 08 nor a recorded demo"):
        demo.run_demo(Console(file=io.StringIO()), str(tmp_path))


# The last scene: packed rows, against ``re`` and plain loops --------------------------------------------

FEW_TEXTS = [*"0123456789abcdefxEUR.- ", "0x", "12", ".5", "-1", " the", "zz", "é"]
FEW = Vocabulary([*(text.encode() for text in FEW_TEXTS), b"</s>"], eos_id=len(FEW_TEXTS))


@pytest.fixture(scope="module")
def found():
    """Forty requests over a small vocabulary."""
    return batch.masked(batch.batch_of(FEW, 40), len(FEW))


def test_every_row_is_what_partial_matches_leave(found):
    assert [request.what for request in found.requests[:5]] == [*batch._PATTERNS, "free", "a price"]
    assert len(found.left) == 30
    left = iter(found.left)
    for row, request in enumerate(found.requests):
        if request.guide is None:
            assert (found.bitmask[row] == -1).all() and found.favourites[row] == found.chosen[row]
            continue
        pattern = batch._PATTERNS[request.what]
        live = [regex.fullmatch(pattern, request.text + text, partial=True) is not None for text in FEW_TEXTS]
        live.append(re.fullmatch(pattern, request.text) is not None)
        words = [sum(1 << i % 32 for i in range(len(live)) if live[i] and i // 32 == word) for word in (0, 1)]
        assert found.bitmask[row].view(np.uint32).tolist() == words[: found.bitmask.shape[1]]
        assert next(left) == sum(live) and live[found.chosen[row]]


def test_the_scene_in_words():
    for encoding in ("utf-8", "ascii"):
        raw = io.BytesIO()
        out = io.TextIOWrapper(raw, encoding=encoding)
        stage = Stage(console := Console(file=out, width=100, soft_wrap=True), console, Path())
        stage.vocabulary = FEW
        batch.play(stage)
        out.flush()
        text = raw.getvalue().decode(encoding)
        assert "A batch of 256 (lab 14)" in text and "192 requests" in text
        assert max(map(len, text.splitlines())) <= 100 and text.count("  row ") == 6
