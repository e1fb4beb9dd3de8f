"""The small model's prompts and judge: every right answer has its form, and every fault is named."""

from itertools import islice

import pytest
import regex

from labkit.small_model.tasks import CORPUS, JsonForm, TextForm, examples, unfamiliar
from labkit.small_model.tasks.judging import REASONS, judge, says_the_same

MANY = list(islice(examples(11, CORPUS), 1500))
UNFAMILIAR = list(islice(examples(13, {unfamiliar: 1}), 700))
FORMED = [each for each in MANY if each.form is not None] + UNFAMILIAR


def test_the_judge_finds_every_right_answer_valid_and_right():
    for each in FORMED:
        assert judge(each.form, each.answer).valid and says_the_same(each.form, each.answer, each.answer), each


def test_an_unfamiliar_prompt_has_all_that_its_answer_copies():
    """Made-up words are the same in the prompt and in the answer, and none of them is in the training."""
    trained = set(regex.findall(r"[^\W\d_]+", " ".join(each.prompt + each.answer for each in MANY)))
    new = [set(regex.findall(r"[^\W\d_]+", each.answer)) - trained for each in UNFAMILIAR]
    for each, words in zip(UNFAMILIAR, new, strict=True):
        assert each.task == "colour" or all(word in each.prompt for word in words), each
    assert sum(map(bool, new)) > len(UNFAMILIAR) / 2 and not any(each.familiar for each in UNFAMILIAR)


OBJECTS = [each for each in FORMED if isinstance(each.form, JsonForm)][::25]


@pytest.mark.parametrize("each", OBJECTS, ids=lambda each: each.task)
def test_a_spoilt_object_is_refused_for_what_spoils_it(each):
    answer = each.answer
    assert judge(each.form, answer[:-1]).why == "unclosed"
    assert judge(each.form, answer[:-1] + ",}").why == "trailing comma"
    assert judge(each.form, "Sure!\n" + answer).why == "prose around it"
    assert judge(each.form, answer + "\nBye").why == "prose around it"
    assert judge(each.form, answer[:-1] + ', "zz": 1}').why == "wrong key"
    assert judge(each.form, answer.replace('"', "'")).why == "broken syntax"
    assert judge(each.form, f"[{answer}]").why in ("wrong type", "wrong value")


HEX, OBJECT = TextForm("#[0-9a-f]{6}"), {"type": "object"}
ODD = {
    "unclosed": [(HEX, "#00ff0"), (HEX, ""), (JsonForm({}), ""), (JsonForm({}), '"abc')],
    "prose around it": [(HEX, "It is #00ff00.")],
    "wrong value": [(HEX, "#00FF00"), (JsonForm({"enum": ["a"]}), '"b"')],
    "wrong key": [(JsonForm(OBJECT), '{"a": 1, "a": 2}'), (JsonForm({**OBJECT, "required": ["a"]}), "{}")],
    "wrong type": [(JsonForm({"type": "string"}), "1")],
    "broken syntax": [(JsonForm({"type": "number"}), "NaN"), (JsonForm({"type": "array"}), "[" * 5000 + "]" * 5000)],
}


@pytest.mark.parametrize(("form", "text", "why"), [(*each, why) for why, row in ODD.items() for each in row])
def test_what_the_judge_says_of_odd_texts(form, text, why):
    verdict = judge(form, text)
    assert not verdict.valid and verdict.why == why and why in REASONS
