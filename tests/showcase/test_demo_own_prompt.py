"""``python3 -m course demo`` with a person's own pattern, schema and prompt: answers, verdicts, and what is refused."""

import io
import json
import sys
import xml.etree.ElementTree as ElementTree

import pytest
import regex

from course.showcase.demo import own
from labkit.small_model.tasks.forms import JsonForm
from labkit.small_model.tokenizer import Tokenizer
from tests.json_texts import valid_json
from tests.labkit.pictures.svg import escapes_in
from tests.runs import run_course

FLAT = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 9, "minimum": 0}}, "required": ["n"]}
FLAT["additionalProperties"] = False


@pytest.fixture
def demo(monkeypatch, capsys):
    """``python3 -m course demo`` with the early checkpoint: its status, its output, its errors."""

    def run(*arguments, checkpoint="early"):
        chosen = ["--checkpoint", checkpoint] if checkpoint else []
        code, out, err = run_course(monkeypatch, capsys, "demo", *arguments, *chosen)
        assert "Traceback" not in out + err
        return code, out, err

    monkeypatch.setenv("COLUMNS", "80")
    return run


def right_column(text):
    """What stands below the second heading."""
    lines = text.splitlines()
    top = next(k for k, line in enumerate(lines) if "with the mask" in line)
    start = lines[top].index("with the mask")
    return [line[start:].rstrip() for line in lines[top + 1 :] if line[start:].strip() and "The mask" not in line]


@pytest.mark.parametrize("more", [(), ("--temperature", "0"), ("--seed", "5"), ("--temperature", "1e-310")])
def test_a_pattern_of_ones_own(demo, more):
    code, out, err = demo("--regex", "[0-9]{3}-[a-z]{2}", "--prompt", "Number?", *more)
    assert (code, err) == (0, "")
    answer, verdict = right_column(out)
    assert regex.fullmatch("[0-9]{3}-[a-z]{2}", answer) and verdict == "valid"
    asked, forced = regex.search(r"asked for (\d+) tokens, EOS included; for (\d+) of them", out).groups()
    assert 1 <= int(forced) < int(asked) <= 7, "the dash or EOS is forced, the digits are not"


@pytest.mark.parametrize("by_stdin", [False, True])
def test_a_schema_of_ones_own(demo, tmp_path, monkeypatch, by_stdin):
    file = tmp_path / "schema.json"
    file.write_text(json.dumps(FLAT), encoding="utf-8-sig")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(file.read_bytes())))
    code, out, _ = demo("--schema", "-" if by_stdin else str(file), "--prompt", "JSON with the keys n.")
    assert code == 0
    *answer, verdict = right_column(out)
    assert valid_json(FLAT, "".join(answer)) and verdict == "valid"


def test_a_prompt_alone_is_answered_freely(demo):
    code, out, _ = demo("--prompt", "Hex code of 世界?")
    assert code == 0 and "世界" in out and "nothing was masked" in out and "with the mask" not in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--regex", "a(b"], "position 1 of 'a(b'"),
        (["--regex", "a(?=b)"], "lookahead"),
        (["--regex", "a\udc80"], "half a surrogate pair, U+DC80, at position 1"),
        (["--prompt", "a\udc80"], "half a surrogate pair, U+DC80, at position 1"),
        (["--regex", r"[^\s\S]"], "no budget suffices"),
        (["--regex", "[0-9]{40}", "--max-tokens", "20"], "a budget of 20 tokens is too small"),
        (["--regex", "a", "--schema", "b"], "not both"),
        (["--regex", "a"], "--regex and --schema go with --prompt"),
        (["--impl", "starter"], "--impl goes with --regex or --schema"),
        (["--prompt", "a " * 3000], "the model's context is 1,024"),
        (["--prompt", "a", "--max-tokens", "1022"], "the prompt is 3 tokens long and the answer may take 1,022"),
        (["--prompt", "a", "--temperature", "nan"], "--temperature"),
        (["--prompt", "a", "--temperature", "inf"], "--temperature"),
        (["--prompt", "a", "--temperature", "-1"], "--temperature"),
        (["--schema", "no/such/file"], "cannot be read from 'no/such/file': No such file"),
        (["--schema", "."], "cannot be read from '.'"),
        (["--schema", "a\0b"], "cannot be read from"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(demo, arguments, said):
    code, out, err = demo(*([] if " with --" in said else ["--prompt", "x"]), *arguments)
    assert (code, out) == (2, "") and err.startswith("error: ") and said in err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "is no JSON: Expecting property name"),
        (b"\xff", "is no UTF-8 text: byte 0"),
        (b"null", "not null"),
        (b'{"type": "object", "properties": {"a": {"type": "strin"}}}', "/properties/a/type"),
        (b'{"enum": ["\\ud800"]}', "half a surrogate pair"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"uniqueItems": true}', "uniqueItems"),
        (b"false", "no value satisfies"),
        (b" " * 1_000_001, "larger than 1,000,000 bytes"),
        (b"1" * 5_000, "is no JSON: Exceeds the limit"),
    ],
)
def test_bad_schema_files(demo, tmp_path, content, said):
    (file := tmp_path / "schema.json").write_bytes(content)
    code, out, err = demo("--schema", str(file), "--prompt", "x")
    assert (code, out) == (2, "") and err.startswith("error: ") and said in err


def test_a_schemas_pattern_that_keeps_the_judge_busy(monkeypatch):
    """``re`` would need longer than there is time on this text; the automaton decides."""
    form = JsonForm({"type": "string", "pattern": "^(a+)+$"})
    monkeypatch.setattr(own, "JUDGE_TIMEOUT", 0.2)
    text = f'"{"a" * 40}!"'
    verdict = own.verdict_on(form, Tokenizer.load().encode(text))
    assert (verdict.valid, verdict.why) == (False, "no match")


def test_both_answers_as_a_picture(demo, tmp_path):
    file = tmp_path / "answers.svg"
    code, out, _ = demo("--regex", "[0-9]{3}-[a-z]{2}", "--prompt", 'A "number" & <more>?', "--picture", str(file))
    assert code == 0 and file.read_bytes().count(b"<svg") == 1
    assert not escapes_in(file.read_text(encoding="utf-8"))
    root = ElementTree.parse(file).getroot()
    free, masked = regex.fullmatch(
        r"prompt: .*?; without a mask: (.*) \(.*\); with the mask: (.*) \(valid\)", root.get("aria-label")
    ).groups()
    assert masked == right_column(out)[0] and regex.fullmatch("[0-9]{3}-[a-z]{2}", masked)
    drawn = "".join("".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text"))
    assert masked in drawn and free.split()[0] in drawn
    code, _, err = demo("--regex", "a", "--prompt", "x", "--picture", str(file / "below.svg"))
    assert code == 2 and "cannot write" in err
    assert demo("--picture", str(file), checkpoint=None)[0] == 2, "it goes with a prompt of one's own"
