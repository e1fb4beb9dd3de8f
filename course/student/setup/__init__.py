"""Making, checking and repairing ``.venv``; standard library only, since nothing else is there yet.

``bootstrap`` runs at every start, ``environment`` recognises a complete ``.venv``, ``install`` makes one.
"""


class SetupError(Exception):
    """Say why the environment cannot be made or used, and what to do."""
