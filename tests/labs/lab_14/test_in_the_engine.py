"""The lab's functions in the engine: drafts change no greedy answer, and no odds of a sampled one."""

from collections import defaultdict
from types import SimpleNamespace

import numpy as np
import pytest

from course.showcase.serving import make_engine
from labkit.engine import Draft, Engine, SamplingParams, ScriptedModel
from labkit.errors import TooMuchWork
from labkit.small_model import SmallModel
from labkit.small_model.drafting import draft_freely
from labkit.small_model.tokenizer import Tokenizer
from labkit.vocabulary import Vocabulary
from labs.lab_14_drafts import solution as lab
from labs.lab_14_drafts.solution import Drafts, walk_draft
from mask_engine import structured_outputs

MODEL, TOKENIZER = SmallModel.load(), Tokenizer.load()

ORDER = {"type": "object", "properties": {"item": {"type": "string"}, "n": {"type": "integer"}}, "required": ["item"]}
TOOLS = [{"type": "function", "function": {"name": "send", "parameters": ORDER}}]
BRACKETS = 'root ::= "[" (root ("," root)*)? "]" | [0-9]'

FORMATS = {
    "free": None,
    "text": {"type": "text"},
    "regex": {"type": "regex", "pattern": r'\{"item": "[a-z ]+", "city": "[A-Z][a-z]+"\}'},
    "choice": {"type": "choice", "choices": ["a chair", "a lamp", "two chairs and a lamp"]},
    "object": {"type": "json_object"},
    "schema": {"type": "json_schema", "json_schema": {"name": "order", "schema": ORDER, "whitespace": "compact"}},
    "grammar": {"type": "grammar", "grammar": BRACKETS},
    "tools": {"type": "tools", "tools": TOOLS, "tool_choice": "required"},
    "thinking": {
        "type": "tools",
        "tools": [],
        "thinking": 20,
        "response_format": {"type": "regex", "pattern": "[a-z]+"},
    },
}


def answers(form, **others):
    """Return the tokens and texts of two answers, with why they end; and the engine."""
    served = make_engine(MODEL, tool_calls="hermes", max_num_seqs=8, **others)
    params = SamplingParams(max_tokens=60, temperature=0, repetition_penalty=1.2)
    texts = ("Hi! Could you send 3 chairs to Ben King in Oslo? JSON only, please.", "Ada, 36, Rome")
    made = [served.add_request(TOKENIZER.prompt(text), params, response_format=FORMATS[form]) for text in texts]
    found = []
    while served.requests:
        found += [(each.request_id, each.token_id, each.text, each.finish_reason) for each in served.step()]
    assert [request.error for request in made] == [None, None]
    return sorted(found, key=lambda each: each[0]), served


@pytest.mark.parametrize("form", FORMATS)
def test_greedy_answers_are_the_same_with_drafts(form):
    """What a request may ask besides is in ``tests/labkit/engine/test_drafts.py``."""
    plain, slow = answers(form)
    for draft in (1, 5):
        drafted, fast = answers(form, draft=draft)
        assert drafted == plain and fast.num_steps <= slow.num_steps


# Exactly ---------------------------------------------------------------------------------------------------

LETTERS = Vocabulary([b"a", b"b", b"c", b"</s>"], eos_id=3)

NEXT = {"": [1, 3, 4], "a": [2, 2, 9], "b": [3, 1, 0.5]}
"""How likely a, b and c are after the last token, as weights; the mask forbids c."""

PARTS = 4
"""What the model decides is decided at whole quarters; what a drafter does, at halves, or not at all."""

ALL_THREE = {"type": "regex", "pattern": "[ab]{3}"}


class NoneLeft(Exception):
    """A number was wanted, and all that were given are used."""


class Numbers:
    """Random numbers that are given. It notes into how many parts the first falls that is missing."""

    def __init__(self, given):
        self.given, self.parts = iter(given), PARTS

    def random(self):
        for number in self.given:
            return number
        raise NoneLeft


class Masked(Drafts):
    """The lab's drafts; their own random numbers fall into fewer parts than the model's."""

    parts = 2

    def propose(self, request):
        request.generator.parts = self.parts
        draft = self.drafted(request)
        request.generator.parts = PARTS
        return draft

    def drafted(self, request):
        return super().propose(request)


class Free(Masked):
    """Drafts that know no grammar."""

    def drafted(self, request):
        length = min(self.length, request.remaining - 1)
        draft, q_rows = draft_freely(self.drafter, request.token_ids, length, request.generator.random)
        state = request.structured_output_state
        masks = walk_draft(state.guide, state.current, draft, self.vocab_size, self.eos_id, request.remaining)[1]
        return Draft(draft, q_rows, masks)


def model(ids):
    row = NEXT[LETTERS.decode(ids)[-1:] if len(ids) > 1 else ""]
    return np.log(np.array([*row, 1e-3], np.float32))


def law(drafts, **options):
    """Return how often each answer comes, over all numbers that can be drawn."""
    served = Engine(ScriptedModel(model, len(LETTERS)), LETTERS, structured_outputs(LETTERS), drafts=drafts)
    found, waiting = defaultdict(float), [((), 1.0)]
    while waiting:
        numbers, weight = waiting.pop()
        request = served.add_request([3], SamplingParams(max_tokens=4, **options), response_format=ALL_THREE)
        request.generator = Numbers(numbers)
        served.generate(request)
        if isinstance(request.error, NoneLeft):
            parts = request.generator.parts
            waiting += [((*numbers, (part + 0.5) / parts), weight / parts) for part in range(parts)]
        else:
            assert request.error is None
            found[LETTERS.decode(request.output_token_ids)] += weight
    return dict(found)


def drafts_of(kind, wanted, length):
    """Drafts of these letters, each as likely as the others."""
    row = np.log([1 if each in wanted else 1e-30 for each in "abc "])
    drafts = kind(lambda ids: row, length, len(LETTERS), LETTERS.eos_id)
    drafts.parts = len(wanted)
    return drafts


@pytest.mark.parametrize(
    ("kind", "letters", "length"),
    [(Masked, "ab", 1), (Masked, "b", 2), (Free, "b", 1), (Free, "ac", 1), (Free, "c", 2)],
)
def test_sampled_answers_have_exactly_the_odds_that_they_have_without_drafts(kind, letters, length):
    """Over all that can be drawn. The odds without drafts are the products of the masked ones, by hand."""
    first, after = {"a": 1 / 4, "b": 3 / 4}, {"a": {"a": 1 / 2, "b": 1 / 2}, "b": {"a": 3 / 4, "b": 1 / 4}}
    wanted = {x + y + z: first[x] * after[x][y] * after[y][z] for x in "ab" for y in "ab" for z in "ab"}
    assert law(None) == pytest.approx(wanted)
    assert law(drafts_of(kind, letters, length)) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({"top_k": 1}, {"bab": 0.5, "baa": 0.5}),
        ({"top_p": 0.6}, {"bab": 0.5, "baa": 0.5}),
        ({"logit_bias": {0: -100}}, {"bbb": 1.0}),
        ({"temperature": 0, "frequency_penalty": -2}, {"bbb": 1.0}),
    ],
    ids=str,
)
def test_sampling_parameters_count_at_each_place_of_a_draft(options, wanted):
    assert law(drafts_of(Masked, "b", 2), **options) == pytest.approx(wanted)
    assert law(None, **options) == pytest.approx(wanted)


# At the edges ----------------------------------------------------------------------------------------------


def test_a_draft_that_takes_too_much_work_is_no_draft():
    """The request goes on without."""

    def advance(state, token):
        raise TooMuchWork("a step", 1)

    guide = lab.GuideOfFunctions(0, lambda state, left: np.array([7], np.int32), print, advance, bool, len)
    request = SimpleNamespace(
        structured_output_state=SimpleNamespace(guide=guide, current=0),
        sampling_params=SamplingParams(),
        remaining=9,
        token_ids=[1],
        generator=np.random.default_rng(0),
    )
    drafts = Drafts(lambda ids: np.zeros(4), 3, 4, 3)
    assert drafts.propose(request) is None
    request.structured_output_state.guide = lab.GuideOfFunctions(
        0,
        lambda state, left: np.array([7 if state < 2 else 0], np.int32),
        print,
        lambda state, token: state + 1,
        bool,
        len,
    )
    assert drafts.propose(request) is None, "a dead end"


@pytest.mark.parametrize("name", ["draft_legally", "walk_draft", "verify", "residual", "sample"])
def test_without_a_students_function_there_are_no_drafts(name, monkeypatch):
    def raising(*args, **kwargs):
        raise RuntimeError("this function was taken away")

    monkeypatch.setattr(lab, name, raising)
    served = make_engine(MODEL, draft=3, tool_calls="hermes")
    params = SamplingParams(max_tokens=30, seed=0)
    request = served.add_request(TOKENIZER.prompt("Hi!"), params, response_format=FORMATS["schema"])
    served.generate(request)
    assert str(request.error) == "this function was taken away"
