"""Tests of what lab 14 measures, of what it is given, and of drafts beside lab 13."""
