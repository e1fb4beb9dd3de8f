"""The manners of clients: whole answers, streams, slow readers, aborts midway, and those that vanish."""

import http.client
import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from course.showcase.load.errands import CHAT, Errand, make_errand

MANNERS = {"whole": 6, "stream": 6, "slow": 2, "abort": 2, "vanish": 1}
"""How a client reads, and how often each manner comes."""

TIMEOUT = 60.0
"""Seconds without a byte after which an answer counts as lost."""


@dataclass(frozen=True)
class Visit:
    """How a request came out.

    Attributes:
        kind, manner: what was asked, and how it was read.
        outcome: ``answered``, ``refused``, ``busy`` (429), ``aborted`` (by the client), ``told`` (the server stops),
            ``invalid`` or ``lost``.
        detail: the first words of what went wrong.
        seconds: to the first byte of an answer.
    """

    kind: str
    manner: str
    outcome: str
    detail: str = ""
    seconds: float = 0.0


class ServerStopping(Exception):
    """The server said that it could not finish."""


def visit(address: str, dice: random.Random) -> Visit:
    """Make one request in a random manner and say how it came out."""
    errand = make_errand(dice)
    manner = dice.choices(list(MANNERS), weights=list(MANNERS.values()))[0] if errand.valid else "whole"
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=TIMEOUT)
    began = time.monotonic()
    try:
        outcome, detail = _outcome(connection, errand, manner, dice)
    except ServerStopping:
        outcome, detail = "refused" if errand.heavy else "told", ""
    except (OSError, http.client.HTTPException, ValueError, KeyError) as error:
        outcome, detail = "lost", f"{type(error).__name__}: {error}"
    finally:
        connection.close()
    return Visit(errand.kind, manner, outcome, detail[:200], time.monotonic() - began)


def _outcome(
    connection: http.client.HTTPConnection, errand: Errand, manner: str, dice: random.Random
) -> tuple[str, str]:
    body = json.dumps(errand.body | {"stream": manner in ("stream", "slow", "abort")})
    connection.request("POST", CHAT, body, {"Content-Type": "application/json"})
    if manner == "vanish":
        time.sleep(dice.random() * 0.2)
        return "aborted", ""
    response = connection.getresponse()
    if response.status != 200:
        return _refusal(response, errand)
    if errand.valid is None:
        return "invalid", f"accepted {body}"
    if manner == "whole":
        (choice,) = json.loads(response.read())["choices"]
        text, reason = _said(choice["message"], errand), choice["finish_reason"]
    else:
        text, reason = "", None
        for count, (piece, reason) in enumerate(_pieces(response, errand)):  # noqa: B007
            text += piece
            if manner == "abort" and count == 2:
                return "aborted", ""
            if manner == "slow":
                time.sleep(0.03)
    if reason != "stop" and errand.kind not in ("free", "tools", "heavy"):
        return "invalid", f"{errand.kind} ended with {reason}: {text!r}"
    return (
        ("answered", "")
        if errand.valid(text) or (errand.heavy and reason != "stop")
        else ("invalid", f"{errand.kind}: {text!r}")
    )


def _refusal(response: http.client.HTTPResponse, errand: Errand) -> tuple[str, str]:
    error = json.loads(response.read())["error"]
    if response.status == 429:
        return ("busy", "") if response.headers["Retry-After"] else ("invalid", "429 without Retry-After")
    if response.status == 503:
        return "told", ""
    if errand.heavy:  # at once, or in the middle of an answer
        fair = "limit is" in error["message"] or error["code"].startswith("unsupported")
        return ("refused", "") if fair else ("invalid", f"{response.status} for {errand.kind}: {error['message']}")
    expected = errand.valid is None and response.status == 400 and error["code"] and error["type"]
    return ("refused", "") if expected else ("invalid", f"{response.status} for {errand.kind}: {error['message']}")


def _said(message: dict[str, Any], errand: Errand) -> str:
    """Return the text of a message or a delta; where there are tools, the arguments of its calls, each after a NUL."""
    if errand.kind != "tools":
        return str(message["content"])
    calls = message.get("tool_calls") or ()
    return "".join("\0" * ("id" in call) + call["function"]["arguments"] for call in calls)


def _pieces(response: http.client.HTTPResponse, errand: Errand) -> Iterator[tuple[str, str | None]]:
    """Yield the texts of a stream with the finish reason, until it says that it is done."""
    while (line := response.readline()) != b"data: [DONE]\n":
        if not line:
            raise http.client.IncompleteRead(b"")
        if line.startswith(b"data: "):
            event = json.loads(line.removeprefix(b"data: "))
            if "error" in event:
                raise ServerStopping
            (choice,) = event["choices"]
            yield _said(choice["delta"], errand), choice["finish_reason"]
