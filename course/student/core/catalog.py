"""Which labs there are, and where their files lie."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True, order=True)
class Lab:
    """One lab of the course: its number and its folder ``labs/lab_NN_name``."""

    number: int
    folder: Path

    @property
    def name(self) -> str:
        """The folder's name, which is also the name of the package: ``lab_02_atom_fsm``."""
        return self.folder.name

    @property
    def label(self) -> str:
        """The name in messages: ``lab 02``."""
        return f"lab {self.number:02}"

    @property
    def title(self) -> str:
        """The name without its number: ``atom fsm``."""
        return self.name[len("lab_NN_") :].replace("_", " ")

    @property
    def starter(self) -> Path:
        """The file that the student edits."""
        return self.folder / "starter.py"

    @property
    def solution(self) -> Path:
        """The reference."""
        return self.folder / "solution.py"

    @property
    def has_reference(self) -> bool:
        """Whether this copy of the course holds the reference: an instructor may have withheld it."""
        return self.solution.is_file()

    @property
    def path(self) -> str:
        """The folder as one types it in the repository's root: ``labs/lab_02_atom_fsm``."""
        return f"labs/{self.name}"


@cache
def all_labs() -> tuple[Lab, ...]:
    """Return every lab, in order.

    >>> [lab.number for lab in all_labs()][:2]
    [1, 2]
    """
    folders = sorted((ROOT / "labs").glob("lab_[0-9][0-9]_*"))
    labs = (Lab(int(folder.name[4:6]), folder) for folder in folders)
    return tuple(lab for lab in labs if lab.has_reference or lab.starter.is_file())


def find_lab(name: str | int) -> Lab:
    """Return the lab that is meant by ``2``, ``02``, ``lab02``, ``lab_02``, ``lab_02_atom_fsm`` or a path to it.

    Raises:
        ValueError: if there is no such lab; the message lists those that exist.

    >>> find_lab("2").name, find_lab("labs/lab_02_atom_fsm/").number
    ('lab_02_atom_fsm', 2)
    >>> find_lab("99")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: there is no lab '99'; the labs are 01, 02...
    """
    text = str(name).replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    digits = re.match(r"(?:lab[_ ]?)?(\d{1,2})(?:_|$)", text)
    for lab in all_labs():
        if digits and lab.number == int(digits[1]) and (text == lab.name or "_" not in text.removeprefix("lab_")):
            return lab
    known = ", ".join(f"{lab.number:02}" for lab in all_labs())
    raise ValueError(f"there is no lab {str(name)!r}; the labs are {known}")
