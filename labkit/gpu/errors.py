"""Errors for what a device would do silently and the stand-in refuses."""

from labkit.errors import SafeText


class OutOfBounds(SafeText, IndexError):
    """A program accessed memory outside its buffer.

    >>> print(OutOfBounds("logits_ptr", 70, 64, (1, 0), "load"))
    program (1, 0) would load logits_ptr[70], which has the elements 0 to 63
    """

    def __init__(self, buffer: str, index: int, size: int, program: tuple[int, ...], doing: str, gap: str = "") -> None:
        super().__init__(buffer, index, size, program, doing, gap)
        self.buffer = buffer
        self.index = index
        self.program = program
        self._size = size
        self._doing = doing
        self._gap = gap

    def _sentence(self) -> str:
        has = f"has the elements 0 to {self._size - 1}" if self._size else "is empty"
        why = self._gap or f"which {has}"
        return f"program {self.program} would {self._doing} {self.buffer}[{self.index}], {why}"


class OrderMatters(SafeText, RuntimeError):
    """The result depends on which program runs first, which a device leaves open.

    >>> print(OrderMatters("logits_ptr", 5, "programs (0,) and (1,) store different values"))
    programs (0,) and (1,) store different values at logits_ptr[5]: the result depends on the order of the programs
    """

    def __init__(self, buffer: str, index: int, what: str) -> None:
        super().__init__(buffer, index, what)
        self.buffer = buffer
        self.index = index
        self._what = what

    def _sentence(self) -> str:
        place = f"{self.buffer}[{self.index}]"
        return f"{self._what} at {place}: the result depends on the order of the programs"
