"""Raises what ends tests, generators, programs and runs without a failure: skips, expected failures, exits."""
# lab: 01, sample

from _pytest.outcomes import Exit, Skipped, XFailed

# Some runners take SystemExit(0) for success.
KINDS = [Exit("done", returncode=0), Skipped("no"), XFailed("so"), SystemExit(0), KeyboardInterrupt()]
KINDS += [GeneratorExit(), StopIteration(), RecursionError()]


def attack(*args, **kwargs):
    KINDS.append(KINDS.pop(0))
    raise KINDS[-1]
