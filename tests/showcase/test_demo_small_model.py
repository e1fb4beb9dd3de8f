"""The demo's scenes of the small model: which answers are shown, where one broke, what is counted, how it is drawn."""

import io
import json
from itertools import islice

import pytest
import regex
from rich.cells import cell_len
from rich.console import Console

from course.showcase.demo import glance
from course.showcase.demo.asking import in_words, said
from course.showcase.demo.screen import Said, fold, watch
from course.showcase.small_model.outcomes import RAN_OUT, generator, judged, request_for
from labkit.small_model.generation import Answer
from labkit.small_model.tasks import MEASURED, examples
from labkit.small_model.tasks.forms import Example, JsonForm, TextForm, WrappedForm
from labkit.small_model.tokenizer import Tokenizer


@pytest.fixture(scope="module")
def early():
    return generator("early")


@pytest.fixture(scope="module")
def answered(early):
    """Prompts with what the early checkpoint answers freely."""
    prompts = list(islice(examples(glance.PROMPTS_SEED, MEASURED), 48))
    given = early.answer([request_for(each, "free", number) for number, each in enumerate(prompts)])
    return list(zip(prompts, given, strict=True))


def test_a_text_is_marked_at_the_first_token_after_which_nothing_valid_can_follow(answered):
    """The oracle is the pattern, and ``regex`` says whether a text is a prefix of a match."""
    decode, checked = Tokenizer.load().decode, 0
    for example, given in answered:
        shown = said(judged(example, given))
        assert (shown.broke is None) == (not shown.why) and (shown.right is None) == bool(shown.why)
        if isinstance(example.form, TextForm) and shown.broke is not None:
            texts = [decode(given.ids[:k], special=True) for k in range(len(given.ids) + 1)]
            alive = [bool(regex.fullmatch(example.form.pattern, text, partial=True)) for text in texts]
            good = alive.index(False) - 1 if False in alive else len(given.ids)
            assert shown.text[: shown.broke] == texts[good].rstrip("\ufffd"), (shown, example.form)
            checked += 1
    assert checked >= 3, "the early checkpoint breaks many answers"


DIGIT = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 9}}, "required": ["n"]}
DIGIT["additionalProperties"] = False
JSON, WRAPPED, CALL = JsonForm(DIGIT), WrappedForm("a: ", DIGIT, "."), WrappedForm(" ", DIGIT, "", "[TOOL_CALLS]")


@pytest.mark.parametrize(
    ("form", "good", "bad"),
    [
        *[
            (JSON, '{"n": 1', "2}"),
            (JSON, '{"', "m"),
            (JSON, '{"n": 1}', "!"),
            (JSON, "", "Sure"),
            (JSON, '{"n": ', ""),
        ],
        *[(WRAPPED, 'a: {"n": 1}', "!"), (WRAPPED, "", '{"n": 1}'), (CALL, "", ' {"n": 1}')],
    ],
)
def test_json_is_marked_where_it_breaks(form, good, bad):
    """The last lacks the special token, which has to come first."""
    ids = (*Tokenizer.load().encode(good), *Tokenizer.load().encode(bad))
    shown = said(judged(Example("x", "?", "", form), Answer(ids, "stop")))
    assert (shown.text, shown.broke) == (good + bad, len(good)) and shown.why


def test_what_ran_out_of_tokens_says_so():
    form = JsonForm({"type": "array", "items": {"type": "integer"}})
    answer = Answer(tuple(Tokenizer.load().encode("[1, 2")), "length")
    shown = said(judged(Example("x", "?", "[1]", form), answer))
    assert (shown.why, shown.broke) == (RAN_OUT, len("[1, 2"))


def test_a_mark_inside_a_character():
    """The mask refuses the second byte of é: the mark stands before the whole character, which the text has."""
    ids = Tokenizer.load().encode("a") + list("é".encode())
    shown = said(judged(Example("x", "?", "aè", TextForm("aè")), Answer(tuple(ids), "stop")))
    assert (shown.text, shown.broke) == ("aé", 1)


def test_the_first_screen_counts_what_a_mask_gains():
    """Counted again with Python's ``json`` alone: whether an answer is an object, and whether the facts are right."""
    out, final = io.StringIO(), generator("final")
    assert not glance.play(Console(file=out, width=100))
    asked = [*glance.friendly_prompts(glance.COUNTED)]
    assert len({each.prompt for each in asked}) == glance.COUNTED
    right = {}
    for mode in ("free", "budget"):
        given = final.answer([request_for(each, mode, glance.SEED + number) for number, each in enumerate(asked)])
        texts = [Tokenizer.load().decode(answer.ids, special=True) for answer in given]
        facts = [json.loads(each.answer) for each in asked]
        right[mode] = [text[0] == "{" and json.loads(text) == fact for text, fact in zip(texts, facts, strict=True)]
    assert right == {"free": [False] * glance.COUNTED, "budget": [True] * glance.COUNTED}
    said = " ".join(out.getvalue().split())
    assert "We then drew 48 more polite ones at random: 0 valid answers without a mask, 48 with it, and 48 of" in said


def printed(show, width=80, encoding="utf-8", **options):
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding)
    show(Console(file=file, highlight=False, soft_wrap=True, width=width, **options))
    file.flush()
    return raw.getvalue().decode(encoding)


QUESTION = ("early", "Say 世界 to\x1b[31m José, in one line that is long enough to be broken at its end", "JSON with a")
PAIR = (
    Said('{"a": "世界", "b": 1}', 14, "wrong key", "Additional properties are not allowed"),
    Said('{"a": "José"}', right=False),
)


@pytest.mark.parametrize("width", [20, 40, 81, 300])
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_it_fits_any_terminal_in_any_encoding(width, encoding):
    text = printed(lambda console: watch(console, *QUESTION, lambda on_text: PAIR), width, encoding)
    assert "\x1b" not in text and "?" not in text
    assert max(map(cell_len, text.splitlines())) <= max(width, 27)
    assert "^" in text and "wrong" in text


def test_on_a_terminal_the_answers_appear_while_they_are_written():
    def play(on_text):
        for side, text in ((0, "fir"), (1, "sec"), (0, "first")):
            on_text(side, text)
        return PAIR

    def show(console):
        watch(console, *QUESTION, play, pace=0)

    text = printed(show, force_terminal=True)
    assert text.index("fir") < text.index("sec") < text.index("first") < text.index("not valid")
    piped = printed(show)
    assert "first" not in piped and "not valid" in piped


@pytest.mark.parametrize("width", [8, 13, 38])
@pytest.mark.parametrize("text", ['{"a": "b", "c": 12}', "世界世界世界世", "a\nbc\n\nd", "x" * 38, "e\u0301\u202e\x07"])
def test_the_caret_stands_under_the_character_meant(text, width):
    for broke in range(len(text) + 1):
        lines = [line.plain for line in fold(text, width, "utf-8", broke)]
        place = next(k for k, line in enumerate(lines) if "^" in line)
        column = cell_len(lines[place].partition("^")[0])
        above, seen = lines[place - 1], "".join(lines[: place - 1])
        shown = "".join(fold_one(char) for char in text[:broke])
        assert column <= cell_len(above) and max(map(cell_len, lines)) <= width, (lines, broke)
        assert shown in [seen + part for part in prefixes(above, column)], (lines, broke)


def fold_one(char):
    return "" if char == "\n" else char if char.isprintable() else char.encode("unicode_escape").decode()


def prefixes(line, cells):
    """The prefixes of a line that fill so many cells: more than one where marks without a width follow."""
    return [line[:k] for k in range(len(line) + 1) if cell_len(line[:k]) == cells]


def test_a_form_in_words():
    assert in_words(TextForm("a\nb")) == r"a text that matches a\nb" and in_words(None) == ""
    assert in_words(JsonForm({"anyOf": [{"type": "integer"}, {}]})) == "JSON"
    assert in_words(JsonForm(True)) == in_words(JsonForm({"properties": 3})) == "JSON of a schema"
    call = {"properties": {"name": {"const": "f"}}}
    words = in_words(WrappedForm("<t>\n", {"anyOf": [call, call]}, "\n</t>"))
    assert words == "JSON, a call of f or f, between <t> and </t>"
    assert len(in_words(TextForm("x" * 999))) == 120
