"""Making, checking and repairing ``.venv``; standard library only, since nothing else is there yet."""
