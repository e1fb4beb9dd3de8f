"""Settings of the property tests: the same examples in every run, and no files left after."""

from hypothesis import HealthCheck, Phase, settings
from hypothesis.internal.conjecture import providers

PROPERTY = settings(
    max_examples=100,
    derandomize=True,
    database=None,
    deadline=None,
    report_multiple_bugs=False,
    print_blob=False,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
"""Decorates a property test; ``PROPERTY`` alone, or ``settings(PROPERTY, max_examples=…)``."""


def _draw_alike_everywhere() -> None:
    """Keep Hypothesis from trying constants that it finds in the modules loaded so far.

    They are other modules in a student's run, in a grader's and after the pipe, and so would the examples be. It has
    no setting for this; where a later version names things otherwise, nothing is done, and draws may differ a little.
    """
    if hasattr(providers, "_get_local_constants") and hasattr(providers, "_local_constants"):
        nothing = providers._local_constants
        providers._get_local_constants = lambda: nothing


_draw_alike_everywhere()
