"""The examples that are drawn once: they find what Hypothesis would find, and its own run decides what failed."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import assume, given, seed, settings
from hypothesis import strategies as st

from course.teaching.grading.examples import Drawn, ExampleDrawing


class Item(SimpleNamespace):
    """What the plugins look at of a test: a property of ``code``, which may be exchanged."""

    code: Callable[[list[int]], int]
    seen: list[list[int]]

    def __init__(self, code: Callable[[list[int]], int]) -> None:
        @seed(1)
        @settings(max_examples=50, database=None, deadline=None)
        @given(numbers=st.lists(st.integers(0, 9)))
        def adds_up(numbers: list[int]) -> None:
            self.seen.append(list(numbers))
            wanted = sum(numbers)
            answer = self.code(numbers)
            numbers.clear()  # a test may change its arguments
            assume(answer >= 0)
            assert answer == wanted

        of_test = SimpleNamespace(argnames=())
        super().__init__(obj=adds_up, nodeid="adds_up", funcargs={}, _fixtureinfo=of_test, code=code, seen=[])


@pytest.fixture
def item(monkeypatch: pytest.MonkeyPatch) -> Item:
    monkeypatch.setattr("course.teaching.grading.examples.DRAWN", {})
    made = Item(sum)
    call = ExampleDrawing(7).pytest_pyfunc_call(made)  # type: ignore[arg-type]
    next(call)
    made.obj()
    with pytest.raises(StopIteration):
        call.send(True)
    return made


def replay(item: Any, code: Callable[[list[int]], int], of_seed: int = 7) -> tuple[object, list[list[int]]]:
    item.code, item.seen = code, []
    return Drawn(of_seed).pytest_pyfunc_call(item), item.seen


def test_code_that_passes_sees_what_hypothesis_would_draw_for_it(item: Item) -> None:
    drawn: list[list[int]] = []
    item.seen = drawn
    item.obj()
    assert replay(item, sum) == (True, drawn)
    assert len(drawn) == 50 and any(map(any, drawn))


def test_code_that_fails_gets_the_smallest_example(item: Item) -> None:
    with pytest.raises(AssertionError) as caught:
        replay(item, lambda numbers: len(numbers) and sum(numbers[1:]))
    assert "numbers=[1]" in "\n".join(caught.value.__notes__)
    assert caught.value.__context__ is None


def test_wrong_once_is_wrong(item: Item) -> None:
    answers = iter([0, 5])
    with pytest.raises(AssertionError, match="assert 5 == "):
        replay(item, lambda numbers: next(answers, sum(numbers)))


def test_an_assumption_about_the_answer_is_for_hypothesis(item: Item) -> None:
    assert replay(item, lambda numbers: -1)[0] is None


def test_another_seed_has_other_examples(item: Item) -> None:
    assert replay(item, sum, 8) == (None, [])
