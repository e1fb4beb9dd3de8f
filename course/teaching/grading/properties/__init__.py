"""Grading the tests that students write (``properties.py``), as untrusted as everything else that they submit."""
