"""What can go wrong with the pipe itself. No ``ValueError``s: no test must take them for a refusal."""


class PipeError(Exception):
    """A value that cannot cross the pipe: cyclic, too large, too deep, or of a kind that has no data form."""


class WireError(PipeError):
    """Bytes that are no message of the protocol."""


class WorkerEnded(PipeError):
    """The process that held the student's code is gone."""


class Overdue(PipeError):
    """The other end did not answer before the deadline."""
