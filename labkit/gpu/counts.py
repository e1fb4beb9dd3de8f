"""Counts of what programs load and store: a measure of cost that needs no clock."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

Place = tuple[int, ...]
"""The number of a program along each axis of its grid."""


@dataclass(frozen=True)
class Traffic:
    """Elements and bytes that moved between a program and a buffer. Lanes that a mask leaves out do not count.

    >>> Traffic(loads=2, bytes_loaded=8) + Traffic(stores=1, bytes_stored=4)
    Traffic(loads=2, stores=1, bytes_loaded=8, bytes_stored=4)
    """

    loads: int = 0
    stores: int = 0
    bytes_loaded: int = 0
    bytes_stored: int = 0

    def __add__(self, other: "Traffic") -> "Traffic":
        return Traffic(
            self.loads + other.loads,
            self.stores + other.stores,
            self.bytes_loaded + other.bytes_loaded,
            self.bytes_stored + other.bytes_stored,
        )

    @property
    def bytes(self) -> int:
        """The bytes loaded and stored together."""
        return self.bytes_loaded + self.bytes_stored


@dataclass
class Launch:
    """One launch: what each of its programs moved to and from each buffer.

    >>> launch = Launch("copy", (2,), {(0,): {"x_ptr": Traffic(1, 0, 4, 0)}, (1,): {"x_ptr": Traffic(1, 0, 4, 0)}})
    >>> launch.total().bytes, launch.of_program((1,)).loads, sorted(launch.of_buffers())
    (8, 1, ['x_ptr'])
    """

    kernel: str
    grid: Place
    traffic: dict[Place, dict[str, Traffic]] = field(default_factory=dict)

    def of_program(self, program: Place) -> Traffic:
        """Return what one program moved."""
        return sum(self.traffic.get(program, {}).values(), Traffic())

    def of_buffers(self) -> dict[str, Traffic]:
        """Return what all programs moved, by buffer name."""
        found: dict[str, Traffic] = {}
        for by_buffer in self.traffic.values():
            for name, moved in by_buffer.items():
                found[name] = found.get(name, Traffic()) + moved
        return found

    def total(self) -> Traffic:
        """Return what all programs moved."""
        return sum(self.of_buffers().values(), Traffic())

    def note(self, program: Place, buffer: str, moved: Traffic) -> None:
        """Count something that a program moved.

        >>> launch = Launch("copy", (1,))
        >>> launch.note((0,), "x_ptr", Traffic(loads=1, bytes_loaded=4))
        >>> launch.total().loads
        1
        """
        mine = self.traffic.setdefault(program, {})
        mine[buffer] = mine.get(buffer, Traffic()) + moved


_listening: list[list[Launch]] = []


@contextmanager
def recorded() -> Iterator[list[Launch]]:
    """Yield a list that collects the stand-in's launches inside the block, including one that fails.

    >>> with recorded() as launches:
    ...     announce(Launch("copy", (8,)))
    >>> [launch.grid for launch in launches]
    [(8,)]
    """
    launches: list[Launch] = []
    _listening.append(launches)
    try:
        yield launches
    finally:
        _listening.remove(launches)


def announce(launch: Launch) -> None:
    """Add a launch that starts to every list that records."""
    for launches in _listening:
        launches.append(launch)
