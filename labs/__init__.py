"""The syllabus: one folder a lab. With ``LAB_CHAIN=mine``, a lab's ``solution`` is your own file (``own_files.py``)."""

from labs import own_files

own_files.install()
