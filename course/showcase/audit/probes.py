"""The values that every engine is asked about: those of the suite, and near ones that one keyword alone refuses.

Suites have few values for each keyword, and none for most. But where a valid value is changed in one place, as
``jsonschema`` says against one keyword only, an engine that dropped that keyword gives itself away.
"""

import copy
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from course.showcase.audit.oracle import Oracle

MOST_PLACES, MOST_NEAR, PER_KEYWORD = 40, 24, 2
"""Places of a value that are changed, and changed values that are asked about: in all, and for a keyword."""

MOST_JUDGED = 150
"""How many of the changed values, drawn by chance, ``jsonschema`` judges: it takes most of an audit's time."""

MOST_LIMITS, MOST_LONG = 12, 400
"""Limits of a schema, such as ``maxLength``, that values are made for, and the longest value that is."""

_INSTEAD: tuple[Any, ...] = (None, True, 0, -1, 0.5, 1_000_003, "", "zz 9", "z" * 300, [], {}, ["zz"], {"zz": 0})


class Probe(NamedTuple):
    """A value, the oracle's verdict (None: not settled), the keywords that refuse it, and whose word it is.

    One that only its format refuses isn't settled, since the standard lets a format be a mere note.
    """

    value: Any
    valid: bool | None
    blamed: tuple[str, ...]
    oracle: str


def probes(schema: Any, tests: list[dict[str, Any]]) -> list[Probe]:
    """Return the suite's values, valid ones first, and values near to them.

    >>> schema = {"type": "object", "properties": {"n": {"maximum": 9}}, "required": ["n"]}
    >>> [(probe.value, probe.blamed) for probe in probes(schema, [{"data": {"n": 1}, "valid": True}])[:3]]
    [({'n': 1}, ()), ([], ('type',)), ({'n': 1000003}, ('maximum',))]
    """
    oracle, found = Oracle(schema), list[Probe]()
    for test in sorted(tests, key=lambda test: not test["valid"]):
        said = oracle.valid(test["data"])
        agreed = said if said == test["valid"] else None
        blamed = tuple(sorted(oracle.blamed(test["data"]))) if agreed is False else ()
        by_format = said and not test["valid"] and oracle.valid(test["data"], formats=True) is False
        judges = "the suite, re and regex" if isinstance(schema, str) else "the suite and jsonschema"
        found.append(Probe(test["data"], agreed, ("format",) if by_format else blamed, judges))
    limits = limits_of(schema)
    asked = {repr(probe.value) for probe in found}
    counts: dict[tuple[str, ...], int] = {}
    bases = [probe.value for probe in found if probe.valid][:3]
    changed = [value for base in bases for value in near(base, limits)]
    for value in random.Random(0).sample(changed, min(MOST_JUDGED, len(changed))):
        if len(found) < len(tests) + MOST_NEAR and repr(value) not in asked:
            asked.add(repr(value))
            if oracle.valid(value) is False and len(blamed := tuple(oracle.blamed(value))) == 1:
                counts[blamed] = counts.get(blamed, 0) + 1
                if counts[blamed] <= PER_KEYWORD:
                    found.append(Probe(value, False, blamed, "jsonschema"))
    return found


def near(value: Any, limits: tuple[float, ...] = ()) -> Iterator[Any]:
    """Yield values that differ from one in one place; first those about as long or large as a limit.

    >>> [*near("ab", (3,))][:3], [each for each in near([7]) if isinstance(each, list) and len(each) != 1][:3]
    (['aba', 'abab', 'abz'], [[], [7, 7], [7, 'zz']])
    """
    for steps in list(_places(value))[:MOST_PLACES]:
        for changed in (*_at_limits(_at(value, steps), limits), *_changed(_at(value, steps))):
            yield _with(value, steps, changed)


def limits_of(schema: Any) -> tuple[float, ...]:
    """Return the first few limits of a schema.

    >>> limits_of({"minimum": 3, "items": {"maxLength": 9}})
    (3, 9)
    """
    found: list[float] = []
    parts = schema.items() if isinstance(schema, dict) else enumerate(schema) if isinstance(schema, list) else ()
    for key, each in parts:
        is_limit = str(key).startswith(("min", "max", "exclusive")) and isinstance(each, int | float)
        found += [each] if is_limit and not isinstance(each, bool) else limits_of(each)
    return tuple(dict.fromkeys(found))[:MOST_LIMITS]


def _at_limits(value: Any, limits: tuple[float, ...]) -> Iterator[Any]:
    for limit in limits:
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield from (limit, limit - 1, limit + 1, limit + 0.5)
        elif isinstance(value, str | list) and value and 0 <= limit <= MOST_LONG:
            for size in (int(limit), int(limit) + 1, int(limit) - 1):
                if size >= 0 and size != len(value):
                    yield (value * (size // len(value) + 1))[:size]


def _places(value: Any) -> Iterator[tuple[Any, ...]]:
    yield ()
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, each in pairs:
        yield from ((step, *below) for below in _places(each))


def _changed(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from ({key: value[key] for key in value if key != left} for left in value)
        yield value | {"zz": "zz"}
        yield value | {f"zz{number}": 0 for number in range(40)}
    elif isinstance(value, list):
        yield from (value[:-1], value + value[:1], [*value, "zz"], value * 40)
    elif isinstance(value, str):
        yield from (value + "z", value[:-1], value.upper())
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from (value + 1, value - 1, value + 0.5, -value)
    yield from _INSTEAD


def _at(value: Any, steps: tuple[Any, ...]) -> Any:
    for step in steps:
        value = value[step]
    return value


def _with(value: Any, steps: tuple[Any, ...], changed: Any) -> Any:
    if not steps:
        return changed
    made = copy.copy(value)
    made[steps[0]] = _with(made[steps[0]], steps[1:], changed)
    return made
