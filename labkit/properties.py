"""Settings of the property tests: the same examples in every run, and no files left behind."""

from hypothesis import HealthCheck, Phase, settings

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
