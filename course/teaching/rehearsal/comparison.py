"""Two results of the same class: whether the grades are the same, and what else differs."""

from dataclasses import dataclass
from pathlib import Path

TABLE = Path("grades.csv")


@dataclass(frozen=True)
class Comparison:
    """What is not the same.

    Attributes:
        grades: in words, if the table of grades differs, or one of the results lacks a file.
        wordings: the other files that differ, such as a page that quotes the line at which a time ran out.
        total: how many files there are.
    """

    grades: tuple[str, ...]
    wordings: tuple[str, ...]
    total: int

    def in_words(self) -> str:
        """Describe the wordings.

        >>> Comparison((), (), 12).in_words()
        'All 12 files are the same, byte for byte.'
        """
        if not self.wordings:
            return f"All {self.total} files are the same, byte for byte."
        why = "time ran out at another line, or a submission raced with itself"
        shown = "\n".join(f"  {name}" for name in self.wordings)
        return f"{len(self.wordings)} of {self.total} files differ, and no grade with them ({why}):\n{shown}"


def compare(one: Path, other: Path) -> Comparison:
    """Compare two folders of results."""
    files = [{path.relative_to(out): path for path in out.rglob("*") if path.is_file()} for out in (one, other)]
    names = sorted(files[0].keys() | files[1].keys())
    both = [name for name in names if name in files[0] and name in files[1]]
    differ = [name for name in both if files[0][name].read_bytes() != files[1][name].read_bytes()]
    grades = [f"{name} is in one of the results only" for name in names if name not in both]
    grades += [f"{TABLE} differs"] if TABLE in differ else []
    return Comparison(tuple(grades), tuple(str(name) for name in differ if name != TABLE), len(names))
