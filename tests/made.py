"""Labs made for one test: a folder with its own hints.toml and solution.py."""

from pathlib import Path

from course.student.core.catalog import Lab

TODO = """
[todo.{number}]
function = "{function}"
task = "say {function}"
lines = 1
minutes = 5
difficulty = "easy"
points = 2
hints = ["the idea of {function}", "its invariant", "in pseudo-code"]
"""

HINTS = '[lab]\ntitle = "Made"\nbadge = "CPU-OK"\n' + "".join(
    TODO.format(number=number, function=function) for number, function in ((1, "one"), (2, "two"))
)

SOLUTION = '''"""A made lab."""


def one() -> int:
    """The number one."""
    # begin TODO 1
    return 1
    # end TODO 1


def two(values: list[int]) -> int:
    """The sum of two."""
    if values:
        # begin TODO 2
        first, second = values
        return first + second
        # end TODO 2
    return 0
'''


def make_lab(folder: Path, hints: str = HINTS, solution: str = SOLUTION, number: int = 7) -> Lab:
    """A lab in this folder, which must not hold one yet: what is read of a lab is read once."""
    lab = Lab(number, folder / f"lab_{number:02}_made")
    lab.folder.mkdir()
    (lab.folder / "hints.toml").write_text(hints, encoding="utf-8")
    lab.solution.write_text(solution, encoding="utf-8")
    return lab
