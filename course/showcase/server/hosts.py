"""Which names a server answers to.

A page of another site can have its own name point to this computer, and then talk to a server here as if it were its
own: DNS rebinding. The browser still says which name it asked for, in the header ``Host``.
"""

import re
from collections.abc import Callable, Iterable
from ipaddress import ip_address
from typing import TYPE_CHECKING

from course.showcase.server.errors import ApiError

if TYPE_CHECKING:  # the examples below run where no server is installed
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send


def host_name(host: str) -> str:
    """Return the name in a ``Host``, in small letters and without the port; an empty text if it is malformed.

    >>> host_name("GPU.example:8000"), host_name("[::1]:80"), host_name("::1"), host_name("a b")
    ('gpu.example', '[::1]', '[::1]', '')
    """
    host = f"[{host}]" if re.fullmatch("[0-9A-Fa-f.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*", host) else host
    found = re.fullmatch(r"(\[[0-9a-f:.]+\]|[\w.-]+)(:[0-9]*)?", host.lower())
    return found[1] if found else ""


def is_loopback(name: str) -> bool:
    """Return whether a name always means this computer.

    >>> [is_loopback(name) for name in ("localhost", "127.0.0.1", "[::1]", "192.168.0.1", "localhost.example")]
    [True, True, True, False, False]
    """
    try:
        return name == "localhost" or ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False


class HostCheck:
    """Lets requests through that ask for a loopback name or one of ``allowed``, whatever their path.

    Args:
        app: what answers those requests.
        allowed: more names, with or without a port.
        refuse: makes the answer to the others.

    Raises:
        ValueError: if one of ``allowed`` is no name.

    >>> HostCheck(print, ["gpu.example/v1"], print)
    Traceback (most recent call last):
    ValueError: an allowed host is a name such as gpu.example, not 'gpu.example/v1'
    """

    def __init__(self, app: "ASGIApp", allowed: Iterable[str], refuse: "Callable[[ApiError], Response]") -> None:
        self._app, self._refuse, self._allowed = app, refuse, set[str]()
        for host in allowed:
            if not (name := host_name(host)):
                raise ValueError(f"an allowed host is a name such as gpu.example, not {host!r}")
            self._allowed.add(name)

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer a request."""
        if scope["type"] == "http":
            host = next((value for name, value in scope["headers"] if name == b"host"), b"").decode("latin-1")
            name = host_name(host)
            if name not in self._allowed and not is_loopback(name):
                said = (
                    f"this server is not called {host!r}; if it should be, start it with --allowed-host and that name"
                )
                await self._refuse(ApiError(403, said, None, "host_not_allowed"))(scope, receive, send)
                return
        await self._app(scope, receive, send)
