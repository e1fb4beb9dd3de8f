"""What the tests of the server send it as bytes, and what they read of it while it works."""

import json
import re
import socket
import time

import httpx

HTTP = httpx.Client(timeout=30)
CHAT = "/v1/chat/completions"
WAIT = 30
"""Seconds after which a wait of these tests fails."""


def posted(content, path=CHAT, host="localhost", version="1.1"):
    """The bytes of a POST of JSON; without a host it has no such header."""
    body = json.dumps(content).encode()
    head = f"POST {path} HTTP/{version}\r\n" + f"Host: {host}\r\n" * (host is not None)
    return f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def opened(address, sent=b""):
    host, port = address.removeprefix("http://").split(":")
    connection = socket.create_connection((host, int(port)), timeout=WAIT)
    connection.sendall(sent)
    return connection


def everything(connection):
    """Whatever comes until the server closes the connection, which has a limit as a whole."""
    found, end = b"", time.monotonic() + WAIT
    try:
        while part := connection.recv(65536):
            found += part
            assert time.monotonic() < end, found[-200:]
    except ConnectionResetError:  # it did not wait for the rest
        pass
    return found


def metric(address, name):
    (value,) = re.findall(rf"^course_{name} (\S+)$", HTTP.get(address + "/metrics").text, re.M)
    return float(value)


def is_idle(server):
    names = ("requests_running", "requests_waiting", "kv_cache_slots_used", "grammar_tickets", "streams")
    return all(metric(server, name) == 0 for name in names)


def eventually(condition):
    end = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)
    return True
