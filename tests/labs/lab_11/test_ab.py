"""The A/B of masks: prompts that the training has not, verdicts by hand, and masks that keep their promise."""

import pytest

from labkit.small_model.tasks.tool_calls import STYLES
from labs.lab_11_tool_calls.ab import ROWS, Outcome, alone, compare, judged

PROMPT = (
    "Tools:\nset_timer(minutes: integer, label: string)\nget_weather(city: string, unit: celsius|fahrenheit)\nStyle: x"
)
WRONG = {
    "no call": ["", "I set a timer.", '{"minutes": 5}'],
    "malformed": [
        "[TOOL_CALLS]",
        '[TOOL_CALLS]set_timer{"minutes": 5',
        '[TOOL_CALLS]set_timer{"minutes": 5}[TOOL_CALLS]',
    ],
    "wrong name": ["[TOOL_CALLS]set_time{}", "[TOOL_CALLS]translate{}"],
    "wrong type": ['[TOOL_CALLS]set_timer{"minutes": "5", "label": "tea"}'],
    "wrong arguments": [
        '[TOOL_CALLS]set_timer{"minutes": 5}',
        '[TOOL_CALLS]set_timer{"city": "Rome", "unit": "celsius"}',
        '[TOOL_CALLS]get_weather{"city": "Rome", "unit": "kelvin"}',
    ],
}


@pytest.mark.parametrize(("why", "text"), [(why, text) for why, texts in WRONG.items() for text in texts])
def test_what_is_wrong_with_an_answer(why, text):
    from labkit.small_model.tasks.forms import Example

    example = Example("x", PROMPT, '[TOOL_CALLS]set_timer{"minutes": 5, "label": "tea"}', None)
    assert judged(ROWS["mistral_v11"], example, text, ran_out=False) == Outcome(why, False)
    if why == "malformed":
        assert judged(ROWS["mistral_v11"], example, text, ran_out=True).why == "out of tokens"


@pytest.mark.parametrize("style", STYLES)
def test_under_masks_every_answer_is_valid_and_the_budget_suffices(style):
    assert all(outcome.why == "" for outcome in compare("early", style, 2, alone))
