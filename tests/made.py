"""Labs made for one test: a folder with its own hints.toml and solution.py."""

from pathlib import Path

from course.student.core.catalog import Lab

TODO = """
[todo.{function}]
task = "say {function}"
lines = 1
minutes = 5
difficulty = "easy"
points = 2
hints = ["the idea of {function}", "its invariant", "in pseudo-code"]
"""

HINTS = '[lab]\ntitle = "Made"\nbadge = "CPU-OK"\nidea = "made"\n' + "".join(
    TODO.format(function=function) for function in ("one", "two")
)

SOLUTION = '''"""A made lab."""


def one() -> int:
    """The number one."""
    # begin TODO
    return 1
    # end TODO


def two(values: list[int]) -> int:
    """The sum of two."""
    if values:
        # begin TODO
        first, second = values
        return first + second
        # end TODO
    return 0
'''


def make_lab(folder: Path, hints: str = HINTS, solution: str = SOLUTION, number: int = 7) -> Lab:
    """A lab in this folder, which must not hold one yet: what is read of a lab is read once."""
    lab = Lab(number, folder / f"lab_{number:02}_made")
    lab.folder.mkdir()
    (lab.folder / "hints.toml").write_text(hints, encoding="utf-8")
    lab.solution.write_text(solution, encoding="utf-8")
    return lab
