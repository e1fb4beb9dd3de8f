"""The demo, on a vocabulary small enough for a test: its words, its promises, its last line and its pictures."""

import base64
import io
import json
import re
import xml.etree.ElementTree as ElementTree

import pytest
import regex
from rich.console import Console

from course import demo
from course.catalog import find_lab
from course.demo import report
from course.demo.runs import CHATTER, STEPS, all_costs, all_runs, patterns
from course.run.banner import grade_command
from labkit.vocabulary import Vocabulary, _tekken_path

TEXTS = [
    *map(chr, range(32, 127)),
    *CHATTER,
    "\x1b[31m",
    "\n",
    "\t",
    "0x",
    "12",
    "3.",
    "#ff",
    "é",
    "→",
    "世界",
    "\u202e",
    "0xg",
]
SMALL = Vocabulary(
    [*(f"<SPECIAL_{i}>".encode() for i in range(1000)), *(text.encode() for text in TEXTS), b"\xe4\xb8", b""],
    eos_id=2,
    special_ids=range(1000),
)


class Stub:
    """In place of the class: its real vocabulary takes a second to read."""

    @staticmethod
    def tekken():
        return SMALL


def told(monkeypatch, folder, file):
    """The whole demo on the small vocabulary, printed to this file; its exit status."""
    monkeypatch.setattr(demo, "Vocabulary", Stub)
    monkeypatch.setattr(demo, "_small", lambda vocabulary: vocabulary)
    return demo.run_demo(Console(file=file, highlight=False, soft_wrap=True, width=100), str(folder), quick=True)


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """What the demo printed, and the folder of its pictures."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        out, folder = io.StringIO(), tmp_path_factory.mktemp("demo") / "deep" / "out"
        assert told(monkeypatch, folder, out) == 0
        return out.getvalue(), folder


def test_the_last_line_is_the_command_that_starts_lab_01(shown):
    text, _ = shown
    assert text.splitlines()[-1] == grade_command([find_lab(1)])
    assert find_lab(1).path in text.splitlines()[-1] or text.splitlines()[-1].endswith("test 01")


def test_nothing_that_moves_the_cursor_is_printed(shown):
    """Tokens hold escapes, newlines and characters that turn the direction of writing."""
    text, _ = shown
    assert not [char for char in text if not char.isprintable() and char != "\n"]
    assert "\x1b" not in text and "\u202e" not in text


def test_the_report_says_what_was_measured(shown):
    text, _ = shown
    assert f"{len(SMALL):,} tokens" in text
    assert all(pattern.source in text and pattern.what in text for pattern in patterns())
    assert re.search(r"the naive mask took .*s, the machine's .*s: \d+\.\d times less", text)
    assert "In 6 of 6 runs the two masks gave the same tokens." in text


def test_lines_fit_a_terminal(shown):
    text, _ = shown
    assert max(len(line) for line in text.splitlines() if not line.startswith("Pictures: ")) <= 100


def test_the_pictures_are_written_and_well_formed(shown):
    text, folder = shown
    assert sorted(path.name for path in folder.iterdir()) == ["cost.svg", "machine.svg"]
    for path in folder.iterdir():
        assert ElementTree.fromstring(path.read_text(encoding="utf-8")).tag == "{http://www.w3.org/2000/svg}svg"
        assert str(path) in text


def test_outputs_under_a_mask_are_beginnings_of_matches():
    runs = [job() for job in all_runs(SMALL)]
    assert {run.pattern.source for run in runs} == {pattern.source for pattern in patterns()} and len(runs) == 6
    for run in runs:
        for text in (run.naive, run.machine):
            assert text and regex.fullmatch(run.pattern.source, text, partial=True), (run.pattern.source, text)
        assert run.same_ids and run.naive == run.machine
    free = [run for run in runs if not regex.fullmatch(run.pattern.source, run.unconstrained, partial=True)]
    assert len(free) == 6, "without a mask every output leaves its pattern"
    wishes = f"(?:{'|'.join(map(re.escape, CHATTER))}){{{STEPS}}}"
    assert all(re.fullmatch(wishes, run.unconstrained) for run in runs if run.model == "adversary")


def test_costs_are_measured_at_growing_sizes():
    costs = [job() for job in all_costs(SMALL, patterns()[0], "3.14")]
    sizes = [cost.vocab_size for cost in costs]
    assert sizes == [1000, len(SMALL)] and all(cost.naive > 0 and cost.machine > 0 for cost in costs)
    assert all(cost.ratio == cost.naive / cost.machine for cost in costs)


def test_each_machine_is_that_of_its_pattern():
    """Brute force: the machine and ``re`` agree on every short text over the pattern's own characters."""
    from itertools import product

    for pattern in patterns()[:2]:
        for length in range(5):
            for chars in product(".0x3fg", repeat=length):
                state = pattern.fsm.initial
                for char in chars:
                    state = None if state is None else pattern.fsm.transitions[state].get(char)
                accepted = state is not None and state in pattern.fsm.accepting
                assert accepted == bool(re.fullmatch(pattern.source, "".join(chars))), (pattern.source, chars)


def test_a_console_without_unicode(monkeypatch, tmp_path):
    """Strict ASCII but for what the tokens hold, which the command's console replaces by question marks."""
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii", errors="replace")
    assert told(monkeypatch, tmp_path, out) == 0
    out.flush()
    text = raw.getvalue().decode("ascii")
    machine = text.partition("The machine of")[2].partition("Pictures:")[0]
    chart = text.partition("median of 3:")[2].partition("\nAt ")[0]
    assert "?" not in machine and "?" not in chart and "->" in machine
    assert text.rstrip().splitlines()[-1] == grade_command([find_lab(1)])


def test_a_terminal_gets_a_counter_and_others_plain_lines(shown):
    text, _ = shown
    assert "generating (6 parts) ..." in text and "measuring (2 parts) ..." in text


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "..."),
        ("abcdefgh", 7, "abcd..."),
        ("a\nb\t", 20, r"a\nb\t"),
        ("\x1b[31m", 20, r"\x1b[31m"),
        ("\u202e", 20, r"\u202e"),
        ("", 5, ""),
        ("é→", 5, "é→"),
    ],
)
def test_a_text_on_one_line(text, width, expected):
    assert report.printable(text, width) == expected and len(expected) <= width


def test_quick_is_a_part_of_the_real_vocabulary():
    whole = Vocabulary([f"{i}".encode() for i in range(20_000)], eos_id=2, special_ids=range(1000))
    small = demo._small(whole)
    assert (len(small), small.eos_id, small.special_ids) == (16_000, 2, frozenset(range(1000)))
    assert small.token_bytes == whole.token_bytes[:16_000]


def test_the_chatter_is_in_the_real_vocabulary():
    """The adversary's wishes must be tokens, or the demo would show something else."""
    tokens = {
        base64.b64decode(entry["token_bytes"]) for entry in json.loads(_tekken_path().read_text("utf-8"))["vocab"]
    }
    assert not [text for text in CHATTER if text.encode() not in tokens]
