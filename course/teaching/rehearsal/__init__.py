"""Grading a made-up class: ``python3 -m course rehearse``."""
