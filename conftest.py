"""Hands pytest to the course: what is graded, the ``lab`` fixture, outcomes and banner live in ``course/run``."""

pytest_plugins = ["course.run.plugin"]
