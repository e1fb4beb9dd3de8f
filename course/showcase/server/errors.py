"""Errors in OpenAI's shape: ``{"error": {"message", "type", "param", "code"}}``."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from labkit.errors import (
    BudgetTooSmall,
    CourseError,
    EmptyRow,
    NoLegalToken,
    QueueFull,
    TokenNotAllowed,
    shortened,
)

CODES = {"extra_forbidden": "unknown_parameter", "missing": "missing_parameter"}
"""Pydantic's names of mistakes, and what OpenAI calls them."""

OWN_CODES = ("conflicting_constraints", "unsupported_value")


class ApiError(Exception):
    """An answer that is an error: the HTTP status, the message, the key of the body that is wrong, and a code."""

    def __init__(self, status: int, message: str, param: str | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = shortened(message)  # it may quote what the client has sent
        self.param = param
        self.code = code

    @property
    def headers(self) -> dict[str, str] | None:
        """When to come back, if there is a chance; after a timeout, that nothing more is read."""
        if self.status == 408:
            return {"Connection": "close"}
        return {"Retry-After": "1"} if self.status in (429, 503) else None

    def body(self) -> dict[str, Any]:
        """Return the JSON of the answer.

        >>> ApiError(404, "no such model", "model", "model_not_found").body()["error"]["type"]
        'invalid_request_error'
        """
        kind = {429: "rate_limit_error", 500: "server_error", 503: "server_error"}
        type_ = kind.get(self.status, "invalid_request_error")
        return {"error": {"message": self.message, "type": type_, "param": self.param, "code": self.code}}


def refusal(error: Exception, constraint_key: str) -> ApiError:
    """Return what a client is told about an exception of the engine or of a constraint.

    >>> error = refusal(BudgetTooSmall(3, 5), "response_format")
    >>> error.status, error.param, error.code
    (400, 'max_tokens', 'budget_too_small')
    >>> refusal(ZeroDivisionError("no"), "response_format").status
    500
    """
    if isinstance(error, ApiError):
        return error
    if isinstance(error, QueueFull):
        return ApiError(429, str(error), None, "queue_full")
    if not isinstance(error, ValueError):
        # A fault in the labs' code, perhaps a student's own TODO: say which.
        return ApiError(500, f"the request failed: {type(error).__name__}: {error}", None, "internal_error")
    too_small = isinstance(error, BudgetTooSmall) and error.needed < math.inf
    param = "max_tokens" if too_small else constraint_key
    # InvalidPattern of labkit.errors becomes invalid_pattern; other errors have no name that a client could know.
    ours = type(error).__module__ == QueueFull.__module__
    code = re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__).lower() if ours else "invalid_value"
    return ApiError(400, str(error), param, code)


FAULTS = (TokenNotAllowed, NoLegalToken, EmptyRow)
"""Errors that no constraint should lead to: what is wrong is the mask."""


def interruption(error: Exception, constraint_key: str) -> ApiError:
    """Return what a client is told whose answer was begun: whatever the request asked too much of is its own fault.

    OpenAI's clients send a request again after a 500, and this one would end in the same way.

    >>> from labkit.errors import LimitExceeded
    >>> error = interruption(LimitExceeded("a step takes too much work", 9), "response_format")
    >>> error.status, error.code, error.message
    (400, 'limit_exceeded', 'the answer cannot go on: a step takes too much work; the limit is 9')
    >>> interruption(TokenNotAllowed(3, "state 2"), "response_format").status
    500
    """
    found = ApiError(500, f"{type(error).__name__}: {error}", None, "internal_error")
    if isinstance(error, CourseError) and not isinstance(error, FAULTS):
        found = refusal(error, constraint_key)
    found.message = shortened(f"the answer cannot go on: {found.message}")
    return found


def invalid_body(errors: Sequence[Mapping[str, Any]]) -> ApiError:
    """Return what a client is told about a body that pydantic refuses: its first mistake.

    >>> error = invalid_body([{"type": "extra_forbidden", "loc": ("tempo",), "msg": "Extra inputs"}])
    >>> error.param, error.code, error.message
    ('tempo', 'unknown_parameter', 'tempo: Extra inputs')
    """
    first = errors[0]
    place = [shortened(str(part), 100) for part in first["loc"]]
    code = CODES.get(first["type"], first["type"] if first["type"] in OWN_CODES else "invalid_value")
    message = f"{'.'.join(place)}: {first['msg']}" if place else str(first["msg"])
    return ApiError(400, message, place[0] if place else None, code)
