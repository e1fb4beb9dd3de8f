"""Tests of `show`."""
