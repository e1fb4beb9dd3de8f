"""The examples of the property tests: drawn once, on the reference, and given to every submission.

Hypothesis needs longer to draw an example than a test to look at it. For code that passes it draws the same each time.
So code that passes with these examples passes; for other code Hypothesis runs too, and finds the smallest one.
"""

import copy
from collections.abc import Generator, Mapping
from functools import wraps
from typing import Any

import pytest
from hypothesis.errors import HypothesisException

from course.student.core.timeouts import TimeLimit

DRAWN: dict[tuple[str, int | None], list[Mapping[str, Any]]] = {}
"""The arguments by test and seed, for processes that are forked off this one; none where a test draws as it runs."""


class ExampleDrawing:
    """A pytest plugin: keeps what Hypothesis draws, by this seed, for tests that pass."""

    def __init__(self, seed: int | None) -> None:
        self._seed = seed

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, object, object]:
        """Keep a copy of each example that the test accepts; it may change its arguments."""
        handle: Any = getattr(pyfuncitem.obj, "hypothesis", None)
        if handle is None:
            return (yield)
        test, drawn = handle.inner_test, list[Mapping[str, Any]]()

        @wraps(test)  # Hypothesis takes its seed from the text of the function
        def noted(**arguments: Any) -> None:
            given = {name: value for name, value in arguments.items() if name not in pyfuncitem.funcargs}
            if any(type(value).__name__ == "DataObject" for value in given.values()):  # of st.data()
                return test(**arguments)  # type: ignore[no-any-return]
            example = copy.deepcopy(given)
            test(**arguments)
            drawn.append(example)

        handle.inner_test = noted
        try:
            result = yield
        finally:
            handle.inner_test = test
        DRAWN[pyfuncitem.nodeid, self._seed] = drawn
        return result


class Drawn:
    """A pytest plugin: tries the examples that were drawn before, by this seed."""

    def __init__(self, seed: int | None) -> None:
        self._seed = seed

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        """Run the test with all of them; where it fails, let Hypothesis find the smallest example that does."""
        drawn = DRAWN.get((pyfuncitem.nodeid, self._seed))
        if not drawn:
            return None
        test: Any = pyfuncitem.obj
        fixtures = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
        failure: BaseException
        try:
            for example in drawn:
                test.hypothesis.inner_test(**fixtures, **example)
            return True
        except (TimeLimit, KeyboardInterrupt):
            raise
        except HypothesisException:  # such as ``assume``, which only Hypothesis understands
            return None
        except BaseException as error:  # also what pytest.fail raises
            failure = error
        test(**fixtures)
        raise failure  # code that answers wrongly once has failed
