"""Checks of the labs' tests: each compares an answer and reports the smallest counterexample."""

from labkit.checking.checks import (
    Recorder,
    bits,
    check_alike,
    check_array,
    check_close,
    check_equal,
    check_mask,
    check_type,
    check_written,
    describe_walk,
)

__all__ = [
    "Recorder",
    "bits",
    "check_alike",
    "check_array",
    "check_close",
    "check_equal",
    "check_mask",
    "check_type",
    "check_written",
    "describe_walk",
]
