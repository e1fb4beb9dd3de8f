"""Making, checking and repairing ``.venv``; standard library only, since nothing else is there yet."""


class SetupError(Exception):
    """The environment cannot be made or used; the text says why and what to do."""
