"""How much an untrusted process may use."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """The limits of one sandboxed process; the kernel keeps them, or the process that started it.

    Attributes:
        cpu_s: seconds of processor time.
        wall_s: seconds from start to end.
        memory_bytes: address space, in bytes.
        processes: processes and threads; 1 means that it can start no other.
        files: files open at once.
        file_bytes: bytes of one file, and of all files together, in the private file system.
        output_bytes: bytes that are kept of what it prints; the rest is read and thrown away.

    Raises:
        ValueError: for a limit that is not positive.

    >>> Limits(cpu_s=2).memory_bytes
    2147483648
    >>> Limits(files=0)
    Traceback (most recent call last):
    ValueError: the limit files must be positive, not 0
    """

    cpu_s: int = 120
    wall_s: float = 300.0
    memory_bytes: int = 2 << 30
    processes: int = 1
    files: int = 64
    file_bytes: int = 16 << 20
    output_bytes: int = 64 << 10

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value <= 0:
                raise ValueError(f"the limit {name} must be positive, not {value}")
