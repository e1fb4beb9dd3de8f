"""The demo's scenes of the small model: which answers are shown, where one broke, what is counted, how it is drawn."""

import io
import json

import pytest
import regex
from rich.console import Console

from course.showcase.demo import answers, counts, shares
from course.showcase.demo.columns import column_width, fold, judged, side_by_side, wrap
from course.showcase.demo.forms import in_words
from course.showcase.demo.recording import Recording, _from_json, as_text
from course.showcase.demo.results import Count, Pair, Results, Row, Said
from course.showcase.demo.screen import Nobody, Screen
from course.showcase.small_model.modes import MODES, RAN_OUT
from course.showcase.small_model.outcomes import request_for
from labkit.small_model.generation import Answer
from labkit.small_model.tasks.forms import Example, JsonForm, TextForm, WrappedForm
from labkit.small_model.tokenizer import Tokenizer
from tests.json_texts import valid_json

# What may stand in JSON, as one pattern: written for this test alone ------------------------------------

GAP, STRING = r"(?: |\n {0,20})?", r'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"'
SCALARS = {
    "integer": "(?:0|-?[1-9][0-9]*)",
    "number": r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?",
    "boolean": "(?:true|false)",
}


def pattern_of(schema):
    """The JSON texts of a schema of the tasks, keys in its order."""
    if "anyOf" in schema:
        return f"(?:{'|'.join(map(pattern_of, schema['anyOf']))})"
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        return f"(?:{'|'.join(regex.escape(json.dumps(value)) for value in values)})"
    kind = schema["type"]
    if kind == "string":
        return f'"{schema["pattern"].strip("^$")}"' if "pattern" in schema else STRING.replace(")*", ")+")
    if kind == "object":
        return rf"\{{{GAP}{members_of(schema)}{GAP}\}}"
    if kind == "array":
        if schema.get("maxItems") == 0:
            return rf"\[{GAP}\]"
        item = pattern_of(schema["items"])
        least, most = schema.get("minItems", 0), schema.get("maxItems")
        more = f"{{{max(least - 1, 0)},{'' if most is None else most - 1}}}"
        whole = f"{item}(?:,{GAP}{item}){more}"
        empty = "" if least else rf"|\[{GAP}\]"
        return rf"(?:\[{GAP}{whole}{GAP}\]{empty})"
    return SCALARS[kind]


def members_of(schema):
    """The first of the tasks' members is always required."""
    members = {
        key: f"{regex.escape(json.dumps(key))}: ?{pattern_of(part)}" for key, part in schema["properties"].items()
    }
    first, *others = members
    assert first in schema["required"]
    return members[first] + "".join(
        f"(?:,{GAP}{members[key]}){'' if key in schema['required'] else '?'}" for key in others
    )


def source(form):
    """The whole answer's pattern."""
    if isinstance(form, TextForm):
        return form.pattern
    if isinstance(form, JsonForm):
        return pattern_of(form.schema)
    return regex.escape(form.special + form.before) + pattern_of(form.schema) + regex.escape(form.after)


@pytest.fixture(scope="module")
def early():
    found, _ = answers.generators()
    return found["early"]


@pytest.fixture(scope="module")
def answered(early):
    """Prompts with what the early checkpoint answers freely."""
    examples = answers.prompts(48)
    given = early.answer([request_for(each, "free", number) for number, each in enumerate(examples)])
    return list(zip(examples, given, strict=True))


def test_an_answer_is_marked_at_the_first_token_behind_which_nothing_valid_can_follow(answered):
    """The oracle is a pattern, and ``regex`` says whether a text is the beginning of a match."""
    decode, checked = Tokenizer.load().decode, 0
    for example, given in answered:
        pattern = regex.compile(source(example.form))
        assert pattern.fullmatch(example.answer), (example, pattern)
        told = answers.said(example, given)
        if told.broke is None:
            continue
        texts = [decode(given.ids[:k], special=True) for k in range(len(given.ids) + 1)]
        alive = [bool(pattern.fullmatch(text, partial=True)) for text in texts]
        good = alive.index(False) - 1 if False in alive else len(given.ids)
        assert told.text[: told.broke] == texts[good].rstrip("\ufffd"), (told, pattern.pattern)
        checked += 1
    assert checked >= 8, "the early checkpoint breaks many answers"


def test_what_is_said_of_an_answer_is_true(answered):
    for example, given in answered:
        told = answers.said(example, given)
        assert (told.broke is None) == (not told.why) and (told.right is None) == bool(told.why)
        if isinstance(example.form, JsonForm):
            assert (not told.why) == valid_json(example.form.schema, told.text)
        elif isinstance(example.form, TextForm):
            assert (not told.why) == bool(regex.fullmatch(example.form.pattern, told.text))
    assert {bool(answers.said(*each).why) for each in answered} == {True, False}


def test_what_ran_out_of_tokens_says_so():
    form = JsonForm({"type": "array", "items": {"type": "integer"}})
    told = answers.said(Example("x", "?", "[1]", form), Answer(tuple(Tokenizer.load().encode("[1, 2")), "length"))
    assert (told.why, told.broke) == (RAN_OUT, len("[1, 2"))


def test_a_mark_inside_a_character():
    """The mask refuses the second byte of é: the mark stands before the whole character, which the text has."""
    ids = Tokenizer.load().encode("a") + list("é".encode())
    told = answers.said(Example("x", "?", "aè", TextForm("aè")), Answer(tuple(ids), "stop"))
    assert (told.text, told.broke) == ("aé", 1)


# Which are shown ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def asked(early):
    return list(answers.questions({"early": early}))


def test_the_shown_ones_are_found_each_for_another_reason(asked, early):
    reasons = [question.why for question in asked]
    assert len(set(reasons)) == len(reasons) and sum(map(bool, reasons)) == 3
    for question in asked:
        pair = answers.ask(question, early, Nobody())
        assert pair.free.why == question.why and pair.prompt == question.example.prompt
        assert pair.masked.why == "" and pair.masked.broke is None


def test_the_shipped_figures_did_not_use_these_prompts():
    from itertools import islice

    from labkit.small_model.tasks import MEASURED, examples

    setting, _ = counts.figures.load()
    measured = examples(counts.figures.EVALUATION_SEED + setting["seed"], MEASURED)
    assert {each.prompt for each in islice(measured, 20)} != {each.prompt for each in answers.prompts(20)}


def test_reasons_shown_before_come_last(early, asked):
    taken = asked[-1].why
    found = list(answers._first_of_each("early", early, fine=False, broken=1, shown=[taken]))
    assert len(found) == 1 and found[0].why not in ("", taken)


def test_the_texts_grow_a_token_at_a_time(early, asked):
    """What is told while an answer is written: a beginning of it, each time a longer one, and at last the whole."""
    told = {0: [""], 1: [""]}

    class Listener:
        def watch(self, checkpoint, prompt, asked, play):
            return play(lambda side, text: told[side].append(text))

    pair = answers.ask(asked[0], early, Listener())
    for side, said in ((0, pair.free), (1, pair.masked)):
        texts = [text.rstrip("\ufffd") for text in told[side]]
        assert texts[-1] == said.text and all(said.text.startswith(text) for text in texts)
        assert [len(text) for text in texts] == sorted(len(text) for text in texts)


def test_a_missing_checkpoint_is_told_and_the_other_used(monkeypatch, tmp_path):
    from labkit.small_model import transformer

    (tmp_path / "early.npz").write_bytes((transformer.DATA / "early.npz").read_bytes())
    monkeypatch.setattr(transformer, "DATA", tmp_path)
    found, problems = answers.generators()
    assert list(found) == ["early"] and len(problems) == 1 and str(tmp_path / "final.npz") in problems[0]
    (tmp_path / "early.npz").write_bytes(b"PK")
    found, problems = answers.generators()
    assert not found and len(problems) == 2


# Counts -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def count(early):
    counting = counts.Counting({"early": early}, 30, patience=1e9)
    return counting.counted([job() for job in counting.parts()])


def test_the_counts_add_up(count):
    assert [row.mode for row in count.rows] == list(MODES) and "n = 30," in count.where
    for row in count.rows:
        assert row.n == 30 == row.valid + sum(row.why.values()) and 0 <= row.right <= row.valid
    free, mask, budget = count.rows
    assert free.valid < 30 and budget.valid == 30 and not budget.why and set(mask.why) <= {RAN_OUT}


def test_no_more_is_begun_when_the_time_is_over(early):
    counting = counts.Counting({"early": early, "late": early}, 60, patience=0)
    found = counting.counted([job() for job in counting.parts()])
    assert [row.n for row in found.rows] == [24] * 6 and "n = 24 of 60: 0 s are over" in found.where


@pytest.mark.parametrize("content", [None, "", "[]", "{}", '{"shares": []}', '{"shares": {"late": {}}}', "\xff", "3"])
def test_bad_figures_are_an_error_that_names_the_file(monkeypatch, tmp_path, content):
    file = tmp_path / "figures.json"
    if content is not None:
        file.write_bytes(content.encode("latin-1"))
    load = counts.figures.load
    monkeypatch.setattr(counts.figures, "FILE", file)
    monkeypatch.setattr(counts.figures, "load", lambda: load(file))
    with pytest.raises(ValueError, match=r"figures\.json"):
        counts.shipped()


def test_shipped_figures_are_shown_as_they_are(monkeypatch, tmp_path):
    share = counts.figures.Share(200, 150, 120, {"unclosed": 49, RAN_OUT: 1})
    table = {mode: {"all": share} for mode in MODES}
    counts.figures.save({"early": table, "final": table}, 200, 7, 1.0, file := tmp_path / "figures.json")
    load = counts.figures.load
    monkeypatch.setattr(counts.figures, "load", lambda: load(file))
    found = counts.shipped()
    assert [row.checkpoint for row in found.rows] == ["final"] * 3 + ["early"] * 3
    assert "n = 200, seed 7, 20" in found.where and found.where.startswith("Shipped")
    text = printed(lambda console: shares.show_shares(console, [found]))
    assert text.count("75%") == 6 and text.count("60%") == 6 and "unclosed 24.5%" in text and "0.5%" in text
    assert "150 of 200 answers of checkpoint final\nare valid, and 120 of these" in text


# How it is drawn ----------------------------------------------------------------------------------------


def printed(show, width=80, encoding="utf-8", **options):
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding)
    show(Console(file=file, highlight=False, soft_wrap=True, width=width, **options))
    file.flush()
    return raw.getvalue().decode(encoding)


PAIR = Pair(
    "early",
    "Say 世界 to\x1b[31m José, in one line that is long enough to be broken at its end",
    "JSON with a",
    Said('{"a": "世界", "b": 1}', 14, "wrong key", "Additional properties are not allowed"),
    Said('{"a": "José"}', right=False),
)


@pytest.mark.parametrize("width", [20, 40, 80, 81, 120, 300])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_it_fits_any_terminal_in_any_encoding(width, encoding):
    from rich.cells import cell_len

    text = printed(
        lambda console: Screen(console).watch("early", PAIR.prompt, PAIR.asked, lambda tell: PAIR), width, encoding
    )
    assert "\x1b" not in text and "?" not in text
    assert max(map(cell_len, text.splitlines())) <= max(width, 27)
    assert "^" in text and "wrong" in text


def test_without_colour_the_break_is_still_marked():
    def show(console):
        Screen(console, pace=0).watch("early", PAIR.prompt, PAIR.asked, lambda tell: PAIR)

    text = printed(show, force_terminal=True, no_color=True)
    assert "^ breaks here" in text and "not valid: wrong key" in text and "\x1b[31m" not in text


def test_on_a_terminal_the_answers_appear_while_they_are_written():
    def play(tell):
        for side, text in ((0, "fir"), (1, "sec"), (0, "first")):
            tell(side, text)
        return PAIR

    text = printed(lambda console: Screen(console, pace=0).watch("early", "Hi", "JSON", play), force_terminal=True)
    assert text.index("fir") < text.index("sec") < text.index("first") < text.index("not valid")
    piped = printed(lambda console: Screen(console, pace=0).watch("early", "Hi", "JSON", play))
    assert "first" not in piped and "not valid" in piped


@pytest.mark.parametrize("width", [8, 13, 38])
@pytest.mark.parametrize("text", ['{"a": "b", "c": 12}', "世界世界世界世", "a\nbc\n\nd", "x" * 38, "e\u0301\u202e\x07"])
def test_the_caret_stands_under_the_character_meant(text, width):
    from rich.cells import cell_len

    for broke in range(len(text) + 1):
        lines = [line.plain for line in fold(text, width, "utf-8", broke)]
        place = next(k for k, line in enumerate(lines) if "^" in line)
        column = cell_len(lines[place].partition("^")[0])
        above, seen = lines[place - 1], "".join(lines[: place - 1])
        shown = "".join(fold_one(char) for char in text[:broke])
        assert column <= cell_len(above) and max(map(cell_len, lines)) <= width, (lines, broke)
        assert shown in [seen + part for part in beginnings(above, column)], (lines, broke)


def fold_one(char):
    return "" if char == "\n" else char if char.isprintable() else char.encode("unicode_escape").decode()


def beginnings(line, cells):
    """What of a line fills so many cells: more than one text where marks without a width follow."""
    from rich.cells import cell_len

    return [line[:k] for k in range(len(line) + 1) if cell_len(line[:k]) == cells]


def test_words_are_not_cut_unless_they_must():
    assert wrap("three small words", 11, "utf-8") == ["three small", "words"]
    assert wrap("abcdefghijkl m", 5, "utf-8") == ["abcde", "fghij", "kl m"]
    assert wrap("a\n\nb", 5, "utf-8") == ["a", "", "b"] and wrap("", 5, "utf-8") == []
    assert "".join(wrap("Straße 世界", 30, "ascii")) == r"Stra\xdfe \u4e16\u754c"


def test_an_empty_answer_is_seen():
    assert judged(Said(""), 38, "utf-8")[0].plain == "(nothing)"
    assert column_width(10) == 8 and side_by_side(["a"], [[]], 8).row_count == 2


def test_a_form_in_words():
    assert in_words(TextForm("a\nb")) == r"a text that matches a\nb" and in_words(None) == ""
    assert in_words(JsonForm({"anyOf": [{"type": "integer"}, {}]})) == "JSON"
    assert in_words(JsonForm(True)) == in_words(JsonForm({"properties": 3})) == "JSON of a schema"
    call = {"properties": {"name": {"const": "f"}}}
    told = in_words(WrappedForm("<t>\n", {"anyOf": [call, call]}, "\n</t>"))
    assert told == "JSON, a call of f or f, between <t> and </t>"
    assert len(in_words(TextForm("x" * 999))) == 120


def test_a_recording_gives_back_what_it_was_given():
    said = Said("é", 0, "unclosed", "why")
    pairs = (PAIR, Pair("final", "?", "", said, None))
    found = Results(
        5, (), (), (True,), (), (), pairs, (Count("here", (Row("final", "free", 2, 1, 0, {"unclosed": 1}),)),)
    )
    again = _from_json(json.loads(as_text(Recording("there", found))))
    assert again == Recording("there", found)


# A copy without references ------------------------------------------------------------------------------


def test_what_cannot_be_played_is_replayed(monkeypatch):
    from course.showcase.demo import stage

    rows = (Row("final", "free", 2, 1, 0, {"unclosed": 1}), Row("final", "budget", 2, 2, 1, {}))
    found = Results(5, (), (), (), (), (), (PAIR,), (Count("Counted there", rows),))
    monkeypatch.setattr(stage, "without_reference", lambda numbers: [8] if 8 in numbers else [])

    def show(console):
        replay = stage.Stage(console, lambda: None, Recording("yesterday", found), 9)
        assert replay.pairs(Screen(console)) == [PAIR] and not replay.problems
        shares.show_shares(console, replay.counts())

    text = printed(show)
    assert text.count("RECORDED") == 2 and "not valid: wrong key" in text and "Counted there" in text
    assert "2 of 2 answers of checkpoint final" in text
