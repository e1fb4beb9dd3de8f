"""How tests check an answer and say what is wrong with it: the smallest counterexample, in words."""

from labkit.checking.checks import (
    Recorder,
    check_array,
    check_close,
    check_equal,
    check_mask,
    check_type,
    describe_walk,
)

__all__ = ["Recorder", "check_array", "check_close", "check_equal", "check_mask", "check_type", "describe_walk"]
