"""Grading a made-up class: ``python3 -m course rehearse``."""

from course.teaching.rehearsal.command import rehearse

__all__ = ["rehearse"]
