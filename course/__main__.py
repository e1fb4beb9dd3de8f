"""``python3 -m course COMMAND``: set up ``.venv`` if need be, then run the command inside it.

An old Python must be able to parse this file, so that it says what is needed instead of showing a SyntaxError:
no f-string, no annotation above the check.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(
        "The course needs Python 3.11 or newer; this is "
        + ".".join(str(part) for part in sys.version_info[:3])
        + ". Run it with a newer one, such as: python3.12 -m course (with make: make PYTHON=python3.12 test)."
    )

if not __package__:  # started as `python path/to/course`, which puts the folder itself on the path
    import os.path

    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120

if __name__ == "__main__":
    from course.start import main

    sys.exit(main(sys.argv[1:]))
