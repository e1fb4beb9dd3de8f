"""The tasks, and how often each comes."""

from collections.abc import Callable
from random import Random

from labkit.small_model.tasks.conversations import conversation
from labkit.small_model.tasks.fields import fields
from labkit.small_model.tasks.forms import Example
from labkit.small_model.tasks.nested import basket, folders
from labkit.small_model.tasks.prose import chat, introduction, result, story
from labkit.small_model.tasks.records import contact, event, order
from labkit.small_model.tasks.strings import colour, date, phone
from labkit.small_model.tasks.tool_calls import tool_call

Draw = Callable[[Random], Example]

FORMAL: dict[Draw, int] = {
    order: 3,
    contact: 3,
    event: 3,
    basket: 4,
    folders: 3,
    fields: 5,
    date: 2,
    colour: 2,
    phone: 2,
    tool_call: 10,
}
"""The tasks that ask for a form, and how often each comes among them."""

CORPUS: dict[Draw, int] = FORMAL | {chat: 2, conversation: 5, result: 2, story: 1, introduction: 1}
"""The tasks of the corpus, which has prose too."""


def draw(rng: Random, tasks: dict[Draw, int] = FORMAL) -> Example:
    """Draw one example of a mix of tasks.

    >>> draw(Random(0)).task
    'call_llama4_pythonic'
    """
    return rng.choices(list(tasks), list(tasks.values()))[0](rng)
