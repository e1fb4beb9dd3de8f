"""The seam for drafts: what the engine asks before a pass about the tokens that come next, and after it."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from labkit.engine.request import Draft, Request


class DraftHooks(Protocol):
    """What lab 14 plugs into the engine: drafts for one request at a time, which a batch reads in one pass.

    What either method raises ends its request alone.
    """

    @property
    def length(self) -> int:
        """The most tokens of a draft."""

    def propose(self, request: Request) -> Draft | None:
        """Return a draft of what follows the request's tokens, or None; nothing of the request may change.

        It's called before each pass, for the requests that have just got a token from the model. A draft must have
        fewer tokens than ``request.remaining``. Random numbers come from ``request.generator``.
        """

    def verify(
        self,
        p_rows: NDArray[np.float64],
        q_rows: NDArray[np.float64],
        draft: Sequence[int],
        draw: Callable[[], float],
    ) -> list[int]:
        """Return the tokens of a draft that are kept, and then one of the model's own: at least one token.

        Args:
            p_rows: ``float64[m, V]``: the model's probabilities at each place, after mask, penalties, temperature,
                top-k and the like.
            q_rows: ``float64[n, V]``: those that the draft was drawn from, n at least m - 1.
            draw: gives the next random number.
        """
