"""The demo: its words, its promises, its last line, and its recording."""

import io
import re

import pytest
from rich.console import Console

from course.showcase import demo
from course.student.core.catalog import find_lab
from course.student.run.banner import grade_command
from labkit.small_model import transformer


def run(file):
    """The demo, printed to this file; its exit status."""
    return demo.run_demo(Console(file=file, highlight=False, soft_wrap=True, width=80))


@pytest.fixture(scope="module")
def text():
    """What the demo printed, to a console without Unicode."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    assert run(out) == 0
    out.seek(0)
    return out.read()


def test_it_is_short_with_the_model_the_counts_and_the_next_command(text):
    assert len(text.splitlines()) <= 64 and max(map(len, text.splitlines())) <= 80
    assert not [char for char in text if not char.isprintable() and char != "\n"], "nothing moves the cursor"
    assert text.splitlines()[-1] == grade_command([find_lab(1)])
    assert text.partition("Your turn.")[0].splitlines()[-2:] == ["python3 -m course play", ""]
    assert text.count("without a mask  ") == 2 and "final  mask with budget" in text
    first, second = text.partition("Shipped with")[0].split("without a mask  ")[1:]
    assert "not valid: prose around it" in first and "valid, and says what the prompt says" in first
    assert "not valid: " not in second and second.count("valid, but not what the prompt says") == 2


def test_a_damaged_checkpoint_is_named_and_the_rest_shown(monkeypatch, tmp_path):
    """A missing one is named alike."""
    (tmp_path / "final.npz").write_bytes(b"PK")
    monkeypatch.setattr(transformer, "DATA", tmp_path)
    out = io.StringIO()
    assert run(out) == 1
    assert str(tmp_path / "final.npz") in out.getvalue() and "final  mask with budget" in out.getvalue()


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A recorded run, as a handout's file gives it back."""
    file = tmp_path_factory.mktemp("recorded") / "recorded.json"
    file.write_text(demo.record().as_text(), encoding="utf-8")
    return demo.load_recording(file)


def replay(recorded, monkeypatch, **options):
    """What the demo prints in a copy without references."""
    monkeypatch.setattr(demo, "load_recording", lambda: recorded)
    monkeypatch.setattr(demo, "without_reference", lambda numbers: [*numbers])
    out = io.StringIO()
    console = Console(file=out, highlight=False, soft_wrap=True, **options)
    assert demo.run_demo(console) == 0
    return out.getvalue()


def test_a_recorded_run_is_shown_and_marked(recorded, monkeypatch):
    text = replay(recorded, monkeypatch)
    assert f"a run of {recorded.where}" in text and "not valid: " in text and "\x1b" not in text
    assert f"RECORDED\n{re.sub(chr(27) + '[^m]*m', '', recorded.printed)}" in text


@pytest.mark.parametrize(("no_color", "start"), [(False, "\x1b[1;31m"), (True, "\x1b[1m")])
def test_a_recorded_run_has_its_colours_on_a_terminal(recorded, monkeypatch, no_color, start):
    options = {"force_terminal": True, "color_system": "standard", "no_color": no_color}
    assert f"{start}not valid: " in replay(recorded, monkeypatch, **options)


def test_without_references_and_recording_there_is_no_demo(monkeypatch):
    monkeypatch.setattr(demo, "without_reference", lambda numbers: [6, 8])
    with pytest.raises(ValueError, match="neither the references of labs 06, 08 nor a recorded demo"):
        demo.run_demo(Console(file=io.StringIO()))
