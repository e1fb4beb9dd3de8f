"""Tests of what lab 13 measures, of what it is given, and of its samplers in the engine."""
