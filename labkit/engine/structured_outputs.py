"""The seam for constraints: what the engine asks about the requests that have a ``response_format``."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from labkit.engine.request import Request


class StructuredOutputs(Protocol):
    """What lab 09 plugs into the engine; ``StructuredOutputManager`` in vLLM V1.

    Every hook but ``mask`` is called only for requests with a ``response_format``, and ``mask`` only for steps that
    have such a request: a batch in which nobody asks for a format makes no call at all. All calls come from the thread
    that runs the engine, in this order: ``add`` once; ``ready`` before each step until it says yes; for each token that
    the model chose one ``mask``, one ``advance`` and, unless it ended the request itself, one ``finished``; ``release``
    once, at the end, whatever the end is. If ``ready`` or ``mask`` raises ``TooMuchWork``, it is asked again in the
    next step, so keep what you've found out by then.

    What ``add`` raises reaches the caller of ``Engine.add_request``, and the engine keeps nothing of the request. What
    ``ready``, ``advance`` or ``finished`` raises ends that request alone, with the ``finish_reason`` ``"error"``. What
    ``mask`` raises ends every request with a format in this batch; a row left without any token ends its own request
    alone. The others go on. After ``MOST_PUT_OFF`` steps in a row ``TooMuchWork`` is an error like the others.
    ``release`` must not raise.
    """

    def add(self, request: Request) -> None:
        """Start a compile for ``request.response_format``, or find it in the cache; return without waiting.

        Raises:
            ValueError: if the format cannot be used.
            QueueFull: if too many grammars wait for their compile.
        """

    def ready(self, request: Request) -> bool:
        """Return whether the request may start; it waits while its grammar is compiled, and the others go on.

        Raises:
            ValueError: if the compile has failed.
        """

    def mask(self, requests: Sequence[Request], logits: NDArray[np.float32]) -> None:
        """Set the logits of all tokens to minus infinity that may not come next, in place.

        Args:
            requests: one for each row; some have no ``response_format``, and their rows stay as they are.
            logits: ``float32[len(requests), V]``, as the model gave them: before penalties, temperature, top-k, top-p.
        """

    def advance(self, request: Request, token_id: int) -> None:
        """Take note of the token that was chosen, EOS included; it is in ``request.output_token_ids`` already."""

    def finished(self, request: Request) -> bool:
        """Return whether the answer is complete and nothing can follow: the request stops without a pass for EOS."""

    def release(self, request: Request) -> None:
        """Forget the request: it has finished, failed, or was aborted, perhaps while its grammar was compiled."""


class JumpsForward(StructuredOutputs, Protocol):
    """The hook of lab 10, which the engine calls where the third argument has it: tokens without a pass of the model.

    It is called before the first pass, once ``ready`` has said yes, and after each ``advance`` but that of EOS or of a
    stop id. Where it gives tokens at the start, and the scheduler has no room, it is not called again.
    """

    def jump(self, request: Request) -> Sequence[int]:
        """Return the tokens that take the place of the last one, and move the request's own state to after them.

        The model has not read the last token yet, so a tail may write it otherwise, as long as the text goes on as it
        was. The next pass reads the whole tail at once. It must not hold EOS. The engine appends it token by token, and
        stops at a stop string, at a stop id, and after ``max_tokens``; ``finished`` is asked after the last.

        Returns:
            The tail; empty for no jump.
        """
