"""What ``python3 -m course score 10`` counts: bytes of a record that are written without a pass of the model."""

from collections.abc import Iterator
from typing import Any

from labkit.scores import Count
from labkit.small_model.tasks.forms import closed
from labkit.vocabulary import Vocabulary
from mask_engine import compile_guide

RECORDS = {
    '{"name":"Ada","born":1815,"alive":false}': closed(
        {"name": {"type": "string"}, "born": {"type": "integer"}, "alive": {"type": "boolean"}}
    ),
    '{"unit":"celsius","place":"Oslo"}': closed(
        {"unit": {"enum": ["celsius", "fahrenheit"]}, "place": {"type": "string"}}
    ),
    '{"ok":true}': closed({"ok": {"const": True}}),
}


def counts(lab: Any) -> Iterator[Count]:
    """Yield, for each record, how many of its bytes ``forced_run`` gives, and how many have only one byte allowed.

    >>> from labs.lab_10_jump_forward import solution
    >>> [count.yours == count.other for count in counts(solution)]
    [True, True, True]
    """
    for record, schema in RECORDS.items():
        guide = compile_guide(Vocabulary.small(), json_schema=schema, whitespace="compact")
        text, place, state, yours = record.encode(), 0, guide.initial, 0
        while place < len(text):
            run = lab.forced_run(guide, state, len(text))
            right = bytes(run) == text[place : place + len(run)]
            yours += len(run) if right else 0
            for byte in text[place : place + (len(run) if right and run else 1)]:
                state, place = guide.after_byte(state, byte), place + 1
        state, forced = guide.initial, 0
        for byte in text:
            forced += len(guide.next_bytes(state)) == 1 and not guide.is_accepting(state)
            state = guide.after_byte(state, byte)
        yield Count(f"bytes of {record} without a pass", yours, forced, f"forced, of {len(text)}")
