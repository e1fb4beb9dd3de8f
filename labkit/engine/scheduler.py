"""Which requests get tokens in a step: WAITING ones move up to RUNNING while slots and the step's budget last."""

from collections import deque
from collections.abc import Callable

from labkit.engine.request import Request, RequestStatus
from labkit.errors import QueueFull


class Scheduler:
    """Decides before each step how many tokens of each request the model reads.

    Args:
        max_num_seqs: how many requests run at a time.
        max_num_batched_tokens: the most tokens that the model reads in a step.
        chunked_prefill: whether a long prompt is read in pieces, in what a step has left after decoding; otherwise a
            prompt waits for a step in which all of it fits.
        max_num_waiting: how long the queue may get.

    Raises:
        ValueError: if a step would be too small for one token of each running request.

    >>> from labkit.engine.request import SamplingParams
    >>> scheduler = Scheduler(max_num_seqs=2, max_num_batched_tokens=4)
    >>> for name in "abc":
    ...     scheduler.add(Request(name, (1, 2, 3), SamplingParams()))
    >>> {request.request_id: count for request, count in scheduler.schedule(lambda request: True).items()}
    {'a': 3, 'b': 1}
    """

    def __init__(
        self, max_num_seqs: int, max_num_batched_tokens: int, chunked_prefill: bool = True, max_num_waiting: int = 256
    ) -> None:
        if not 1 <= max_num_seqs <= max_num_batched_tokens:
            raise ValueError(
                f"a step of {max_num_batched_tokens} tokens cannot serve {max_num_seqs} requests: max_num_seqs must be "
                "at least 1, and max_num_batched_tokens at least as large"
            )
        self.max_num_seqs = max_num_seqs
        self.max_num_batched_tokens = max_num_batched_tokens
        self.chunked_prefill = chunked_prefill
        self.max_num_waiting = max_num_waiting
        self.waiting: deque[Request] = deque()
        self.running: list[Request] = []

    def check_room(self) -> None:
        """Refuse a further request if the queue is full.

        Raises:
            QueueFull: if ``max_num_waiting`` requests are waiting.
        """
        if len(self.waiting) >= self.max_num_waiting:
            raise QueueFull("requests wait", self.max_num_waiting)

    def add(self, request: Request) -> None:
        """Put a request at the end of the queue.

        Raises:
            QueueFull: see ``check_room``.
        """
        self.check_room()
        self.waiting.append(request)

    def schedule(self, is_ready: Callable[[Request], bool]) -> dict[Request, int]:
        """Return how many tokens of each request are read in this step; requests that start become RUNNING.

        Args:
            is_ready: asked about a waiting request before it starts. One that is not ready keeps its place, and the
                requests after it go ahead.
        """
        budget = self.max_num_batched_tokens
        scheduled: dict[Request, int] = {}
        # Those that run come first, so no prompt makes one that decodes wait. The shortest come first among them: one
        # token to decode, the few of a jump. Longer ones share the rest equally, so that nobody waits for another's
        # jump; each has a token at least, since a step has room for one of every request that runs.
        for left, request in zip(
            range(len(self.running), 0, -1), sorted(self.running, key=lambda each: each.num_pending), strict=True
        ):
            scheduled[request] = min(request.num_pending, budget // left)
            budget -= scheduled[request]
        for request in list(self.waiting):
            if not budget or len(self.running) == self.max_num_seqs:
                break
            if not is_ready(request):
                continue
            if request.num_pending > budget and not self.chunked_prefill:
                break  # nobody overtakes a prompt that needs more room, or it might wait forever
            self.waiting.remove(request)
            self.running.append(request)
            request.status = RequestStatus.RUNNING
            scheduled[request] = min(request.num_pending, budget)
            budget -= scheduled[request]
        return scheduled

    def finish(self, request: Request) -> None:
        """Take a request out, wherever it is."""
        if request.status is RequestStatus.RUNNING:
            self.running.remove(request)
        elif request.status is RequestStatus.WAITING:
            self.waiting.remove(request)
        request.status = RequestStatus.FINISHED
