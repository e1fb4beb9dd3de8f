"""Trees of folders by the small model, freely and under a recursive schema; ``json`` and ``jsonschema`` judge."""

from itertools import islice

from labkit.small_model.generation import Constraint, Generator, Request
from labkit.small_model.tasks import examples
from labkit.small_model.tasks.forms import STRING, Example, JsonForm, Schema, closed
from labkit.small_model.tasks.judging import judge, says_the_same
from labkit.small_model.tasks.nested import folders
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import SmallModel
from labs.lab_11_tool_calls.ab import Outcome

FOLDER: Schema = closed({"name": STRING, "folders": {"type": "array", "items": {"$ref": "#"}, "maxItems": 3}})
"""A folder, with folders in it to any depth."""

SEED = 3_000_018
"""The seed of the prompts; the training used none of these."""

MAX_TOKENS = 160


def prompts(n: int) -> list[Example]:
    """Return prompts that describe trees.

    >>> prompts(1)[0].answer[:15]
    '{"name": "old",'
    """
    return list(islice(examples(SEED, {folders: 1}), n))


def compare(checkpoint: str, n: int, guide: Constraint | None) -> list[Outcome]:
    """Answer the first ``n`` prompts, freely or under a guide and within a budget, and judge the answers."""
    tokenizer, asked = Tokenizer.load(), prompts(n)
    requests = [
        Request(tokenizer.prompt(each.prompt), MAX_TOKENS, guide, within_budget=guide is not None, seed=place)
        for place, each in enumerate(asked)
    ]
    answers = Generator(SmallModel.load(checkpoint), tokenizer.vocabulary).answer(requests)
    texts = [tokenizer.decode(answer.ids, special=True) for answer in answers]
    form = JsonForm(FOLDER)
    return [
        Outcome(judge(form, text).why, says_the_same(form, text, each.answer), text)
        for text, each in zip(texts, asked, strict=True)
    ]
