"""The demo, on a vocabulary small enough for a test: its words, its promises, its last line and its pictures."""

import io
import re
import xml.etree.ElementTree as ElementTree

import pytest
from rich.console import Console

from course.showcase import demo
from course.showcase.demo.costs import DECIMAL, costs
from course.student.core.catalog import find_lab
from course.student.run.banner import grade_command
from labkit.small_model import transformer
from labkit.vocabulary import Vocabulary

TEXTS = [*map(chr, range(32, 127)), "\x1b[31m", "\n", "\t", "0x", "12", "3.", "#ff", "é", "→", "世界", "\u202e", "0xg"]
SMALL = Vocabulary(
    [*(f"<SPECIAL_{i}>".encode() for i in range(1000)), *(text.encode() for text in TEXTS), b"\xe4\xb8", b""],
    eos_id=2,
    special_ids=range(1000),
)


@pytest.fixture(autouse=True, scope="module")
def small_vocabulary():
    """The real vocabulary takes a second to read."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Vocabulary, "tekken", staticmethod(lambda: SMALL))
        yield


def run(folder, file):
    """The demo on the small vocabulary, printed to this file; its exit status."""
    return demo.run_demo(Console(file=file, highlight=False, soft_wrap=True, width=80), str(folder))


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """What the demo printed, and the folder of its pictures."""
    out, folder = io.StringIO(), tmp_path_factory.mktemp("demo") / "deep" / "out"
    assert run(folder, out) == 0
    return out.getvalue(), folder


def test_it_is_two_screens_with_the_model_the_race_and_the_next_command(shown):
    text, _ = shown
    assert len(text.splitlines()) <= 90
    assert text.splitlines()[-1] == grade_command([find_lab(1)])
    assert text.count("without a mask  ") == 2 and "final  mask with budget" in text
    first, second = text.partition("Shipped with")[0].split("without a mask  ")[1:]
    assert "not valid: prose around it" in first and "valid, and says what the prompt says" in first
    assert "not valid: " not in second and second.count("valid, but not what the prompt says") == 2
    assert "measuring (2 parts) ..." in text
    assert re.search(r"naive \(lab 01\) .*s, automaton \(lab 02\) .*s,\nlook-up \(lab 03\) .*s\.", text)
    assert re.search(
        r"The automaton took \d+ times less than the naive mask, the look-up \d+ times less", text.replace("\n", " ")
    )


def test_nothing_that_moves_the_cursor_is_printed_and_lines_fit_a_terminal(shown):
    text, _ = shown
    assert not [char for char in text if not char.isprintable() and char != "\n"]
    prose = [line for line in text.splitlines() if not line.startswith("Pictures: ")]
    assert max(map(len, prose)) <= 80, max(prose, key=len)


def test_the_pictures_are_written_and_well_formed(shown):
    text, folder = shown
    assert sorted(path.name for path in folder.iterdir()) == ["automaton.svg", "cost.svg"]
    for path in folder.iterdir():
        assert ElementTree.fromstring(path.read_text(encoding="utf-8")).tag == "{http://www.w3.org/2000/svg}svg"
        assert str(path) in text


def test_costs_are_measured_at_growing_sizes():
    measured = [job() for job in costs(SMALL, DECIMAL)]
    assert [size for size, _ in measured] == [1000, len(SMALL)]
    assert all(len(times) == 3 and min(times.values()) > 0 for _, times in measured)


def test_a_console_without_unicode(tmp_path):
    """Strict ASCII but for what the tokens hold, which the command's console replaces by question marks."""
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii", errors="replace")
    assert run(tmp_path, out) == 0
    out.flush()
    text = raw.getvalue().decode("ascii")
    automaton = text.partition("The automaton of")[2].partition("Pictures:")[0]
    chart = text.partition("median of 3:")[2].partition("\nAt ")[0]
    assert "?" not in automaton and "?" not in chart and "->" in automaton
    assert text.rstrip().splitlines()[-1] == grade_command([find_lab(1)])


@pytest.mark.parametrize("content", [None, b"PK"])
def test_a_missing_or_damaged_checkpoint_is_named_and_the_rest_shown(monkeypatch, tmp_path, content):
    if content:
        (tmp_path / "final.npz").write_bytes(content)
    monkeypatch.setattr(transformer, "DATA", tmp_path)
    out = io.StringIO()
    assert run(tmp_path / "out", out) == 1
    assert str(tmp_path / "final.npz") in out.getvalue() and "look-up (lab 03)" in out.getvalue()


# A copy without references ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A recorded run on the small vocabulary, as a handout's file gives it back."""
    file = tmp_path_factory.mktemp("recorded") / "recorded.json"
    file.write_text(demo.record(Console(file=io.StringIO())).as_text(), encoding="utf-8")
    return demo.load_recording(file)


def replay(recorded, monkeypatch, folder, missing=range(15), **options):
    """What the demo prints in a copy that lacks the references of these labs."""
    monkeypatch.setattr(demo, "load_recording", lambda: recorded)
    monkeypatch.setattr(demo, "without_reference", lambda numbers: [n for n in numbers if n in missing])
    out = io.StringIO()
    console = Console(file=out, highlight=False, soft_wrap=True, **options)
    assert demo.run_demo(console, str(folder / "out")) == 0
    return out.getvalue()


def test_a_recorded_run_is_shown_and_marked(recorded, monkeypatch, tmp_path):
    text = replay(recorded, monkeypatch, tmp_path)
    assert text.count("RECORDED\n") == len(demo.SCENES) and f"a run of {recorded.where}" in text
    for scene in recorded.scenes.values():
        assert f"RECORDED\n{re.sub(chr(27) + '[^m]*m', '', scene)}" in text
    assert "not valid: " in text and "Pictures: " in text and "\x1b" not in text and "parts) ..." not in text
    for name, svg in recorded.pictures.items():
        assert (tmp_path / "out" / name).read_text(encoding="utf-8") == svg


@pytest.mark.parametrize(("no_color", "start"), [(False, "\x1b[1;31m"), (True, "\x1b[1m")])
def test_a_recorded_run_has_its_colours_on_a_terminal(recorded, monkeypatch, tmp_path, no_color, start):
    options = {"force_terminal": True, "color_system": "standard", "no_color": no_color}
    assert f"{start}not valid: " in replay(recorded, monkeypatch, tmp_path, **options)


def test_only_scenes_without_references_are_replayed(recorded, monkeypatch, tmp_path):
    text = replay(recorded, monkeypatch, tmp_path, missing=range(4, 15))
    assert text.count("RECORDED\n") == 1 and "measuring (2 parts)" in text


def test_without_references_and_recording_there_is_no_demo(monkeypatch, tmp_path):
    monkeypatch.setattr(demo, "without_reference", lambda numbers: [3, 8])
    with pytest.raises(ValueError, match="neither the references of labs 03, 08 nor a recorded demo"):
        demo.run_demo(Console(file=io.StringIO()), str(tmp_path))
