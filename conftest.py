"""Hands pytest to the course: what is graded, the ``lab`` fixture and the outcomes live in ``course/student/run``."""

pytest_plugins = ["course.student.run.plugin"]
