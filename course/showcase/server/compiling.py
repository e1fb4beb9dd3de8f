"""Imported once, by the process of which all compilers are forks: it imports what they need and fills the labs' caches.

Whatever fails here fails again in the job that needs it, perhaps in a student's own function, and there it's told.
"""

from contextlib import suppress

with suppress(Exception):
    import course.showcase.explain.report  # noqa: F401
    from mask_engine import texts_of

    texts_of(json_schema={"type": "object"})
    texts_of(regex=r"\w\d\s.")
