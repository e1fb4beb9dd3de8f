"""Settings of the property tests: the same examples in every run, and no files left over."""

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


# Keep Hypothesis from trying constants that it finds in the modules loaded so far. A student's run, a grader's and one
# through the pipe load different modules, and would draw different examples. Hypothesis has no setting for this. If a
# later version renames its internals, this does nothing, and the examples may differ a little.
if hasattr(providers, "_get_local_constants") and hasattr(providers, "_local_constants"):
    nothing = providers._local_constants
    providers._get_local_constants = lambda: nothing
