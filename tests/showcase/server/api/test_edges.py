"""The server's edges, with raw sockets: slow heads, half-closed clients, hosts that are none of ours, huge quotes."""

import json
import re
import socket
import time

import pytest

from tests.labs import listed
from tests.showcase.server.conftest import served
from tests.showcase.server.wire import CHAT, HTTP, WAIT, eventually, everything, is_idle, metric, opened, posted


def request(path=CHAT, host="localhost", version="1.1", **more):
    """The bytes of a request: a question in JSON, or a GET of another path."""
    if path != CHAT:
        return f"GET {path} HTTP/{version}\r\nHost: {host}\r\n\r\n".encode()
    asked = {"model": "small", "messages": [{"role": "user", "content": "x"}], "max_tokens": 3, "seed": 1}
    return posted(asked | more, host=host, version=version)


def exchanged(address, sent, half_close=False):
    with opened(address, sent) as connection:
        if half_close:
            connection.shutdown(socket.SHUT_WR)
        return everything(connection)


def responses(found):
    """The status, the head and the body of each response; interim ones are skipped, as HTTP/1.1 wants it."""
    read = []
    while found:
        head, _, rest = found.partition(b"\r\n\r\n")
        status, head = int(head.split()[1]), head.decode().lower()
        if status == 100:
            found = rest
        elif length := re.search(r"content-length: (\d+)", head):
            read.append((status, head, rest[: int(length[1])]))
            found = rest[int(length[1]) :]
        else:
            assert "transfer-encoding: chunked" in head or "connection: close" in head or not rest.strip()
            read.append((status, head, rest))
            found = b""
    return read


def error_of(response, status):
    assert response[0] == status, response
    error = json.loads(response[2])["error"]
    assert {*error} == {"message", "type", "param", "code"} and error["type"] == "invalid_request_error"
    return error


# Slow heads -----------------------------------------------------------------------------------------------

SLOW = {
    "nothing": (b"", b""),
    "a head, byte by byte": (b"", b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 5000),
    "a head without its end": (request()[:40], b""),
    "a second head, byte by byte": (request(), b"POST /v1/chat/completions HTTP/1.1\r\nX: " + b"a" * 5000),
    "a second head that came half with the first": (request() + b"GET /health HT", b"TP/1.1\r\nX: " + b"a" * 5000),
    "the body of a refused request": (
        b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n",
        b"a" * 5000,
    ),
}


@pytest.mark.parametrize("name", SLOW)
def test_a_head_that_does_not_arrive_ends_its_connection(impatient_server, name):
    """Half a second may go by in this server; a byte that comes in time does not start it anew."""
    at_once, slowly = SLOW[name]
    with opened(impatient_server) as connection:
        connection.sendall(at_once)
        connection.settimeout(0.02)
        found, end = b"", time.monotonic() + WAIT
        place = 0
        while time.monotonic() < end:
            try:
                if place < len(slowly):
                    connection.sendall(slowly[place : place + 1])
                    place += 1
                if not (part := connection.recv(65536)):
                    break
                found += part
            except TimeoutError:
                continue
            except (ConnectionResetError, BrokenPipeError):
                break
        else:
            raise AssertionError(f"still open: {found!r}")
        assert place < len(slowly) or not slowly
    if "refused" in name:
        assert responses(found)[0][0] == 400
        return
    *answered, last = responses(found)
    assert [status for status, *_ in answered] == [200] * ("second" in name)
    error = error_of(last, 408)
    assert error["code"] == "timeout" and "0.5 s" in error["message"] and "connection: close" in last[1]


def test_an_answer_may_take_longer_than_a_head(impatient_server):
    """The limit is the client's: nobody is cut off while the server works, or between two requests in time."""
    sent = request(structured_outputs={"regex": "[a-z]{400}"}, max_tokens=401)
    with opened(impatient_server) as connection:
        for _ in range(2):
            connection.sendall(sent)
            found = b""
            while b"finish_reason" not in found:
                part = connection.recv(65536)
                assert part, found
                found += part
            assert responses(found)[0][0] == 200
            time.sleep(0.1)


def test_no_http_is_refused_in_openais_shape(server):
    for sent in (b"\0" * 100 + b"\r\n\r\n", request().replace(b"Host", b"Ho st"), request(host=None)):
        (response,) = responses(exchanged(server, sent))
        assert error_of(response, 400)["code"] == "invalid_http" and "connection: close" in response[1]


# Half-closed clients --------------------------------------------------------------------------------------

LONG = {"structured_outputs": {"regex": "[a-z]{80}"}, "max_tokens": 81}


@pytest.mark.parametrize("version", ["1.1", "1.0"])
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_a_half_closed_client_gets_its_answer(slow_server, stream, version):
    """The answer takes over a second, so that the server asks meanwhile whether the client still reads."""
    found = exchanged(slow_server, request(version=version, stream=stream, **LONG), half_close=True)
    ((status, _, body),) = responses(found)
    assert status == 200 and (b"HTTP/1.1 100" in found) == (version == "1.1" and not stream)
    if stream:
        assert b"data: [DONE]" in body and body.count(b'"delta"') > 2
    else:
        assert re.fullmatch("[a-z]{80}", json.loads(body)["choices"][0]["message"]["content"])


def test_requests_one_after_the_other_are_all_answered(server):
    for count in (2, 3):
        answers = responses(exchanged(server, request() * count, half_close=True))
        assert [status for status, *_ in answers] == [200] * count
        assert len({json.loads(body)["id"] for *_, body in answers}) == count


@pytest.mark.parametrize("kept", [b"POST", request()[:60], request()[:-5]], ids=["a line", "a head", "a body"])
def test_half_a_request_gets_no_answer(server, kept):
    assert exchanged(server, kept, half_close=True) == b""


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
@pytest.mark.parametrize("later", [False, True], ids=["at once", "after it has closed its side"])
def test_who_vanishes_is_noticed(slow_server, stream, later):
    """At the socket a client that has gone first looks like one that has closed its own side alone."""
    before = metric(slow_server, "generation_tokens_total")
    endless = {"structured_outputs": {"regex": "[a-z]{900}"}, "max_tokens": 1000}
    connection = opened(slow_server, request(stream=stream, **endless))
    if later:
        connection.shutdown(socket.SHUT_WR)
    assert eventually(lambda: metric(slow_server, "generation_tokens_total") > before + 40)
    assert metric(slow_server, "requests_running") == 1
    connection.close()
    assert eventually(lambda: is_idle(slow_server))
    assert metric(slow_server, "generation_tokens_total") < before + 700


# Host -----------------------------------------------------------------------------------------------------

OURS = listed("localhost LocalHost:8000 127.0.0.1 127.0.0.1:80 [::1] [::1]:8000 gpu.example gpu.EXAMPLE:1 [fe80::1]:1")
NOT_OURS = listed("""
    evil.example evil.example:8000 localhost.evil.example evil.example:@localhost evil-localhost 192.168.0.1 0.0.0.0
    [::2] [::1 [::1].evil.example localhost/x localhost:80:80 :80 é a.gpu.example gpu.example.com [fe80::2]
""")
NOT_OURS += ["localhost, evil.example", "", "e" * 9000]


def closing(sent):
    """The same request, after which the connection ends."""
    return sent.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1)


def test_only_the_servers_own_names_are_answered_on_every_path():
    """Numbers and models are none of another site's business either."""
    with served(allowed_hosts=["GPU.example", "[fe80::1]"]) as address:
        for path, status in ((CHAT, 200), ("/v1/models", 200), ("/health", 200), ("/metrics", 200), ("/nothing", 404)):
            for host in OURS:
                assert responses(exchanged(address, closing(request(path, host))))[0][0] == status, host
            for host in NOT_OURS:
                ((status_, _, body),) = responses(exchanged(address, closing(request(path, host))))
                assert (status_, body) == (400, b"Invalid host header"), host


# Quotes ---------------------------------------------------------------------------------------------------

HUGE = 900_000
K = "k" * HUGE
TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}


def schema(inner):
    return {"response_format": {"type": "json_schema", "schema": inner}}


def with_tool(**function):
    return {"tools": [TOOL | {"function": TOOL["function"] | function}]}


QUOTED = {
    "a model": ({"model": K}, "only 'small'"),
    "a key": ({K: 1}, "Extra inputs"),
    "a pattern": ({"response_format": {"type": "regex", "pattern": f"({'k' * 190_000}"}}, "missing )"),
    "a schema's keyword": (schema({"properties": {K: {"type": "strin"}}}), "type"),
    "a key twice": ({"structured_outputs": {"json": f'{{"{"k" * 400_000}": 1, "{"k" * 400_000}": 2}}'}}, "twice"),
    "a rule": ({"structured_outputs": {"grammar": f"root ::= {K}"}}, "line 1"),
    "a tool_choice": ({**with_tool(), "tool_choice": K}, "tool_choice"),
    "a tool's schema": (with_tool(parameters={"additionalProperties": {"type": K}}), "/tools/0"),
    "a prompt": ({"messages": [{"role": "user", "content": "\ud800" + K}]}, ""),
}


@pytest.mark.parametrize("name", QUOTED)
def test_an_error_cuts_what_it_quotes(server, name):
    """What is wrong and where stays readable, before the quote or after it."""
    wrong, said = QUOTED[name]
    body = {"model": "small", "messages": [{"role": "user", "content": "x"}], "max_tokens": 9} | wrong
    response = HTTP.post(server + CHAT, content=json.dumps(body), headers={"content-type": "application/json"})
    assert response.status_code in (400, 404, 413) and len(response.content) < 2000, response.text[:3000]
    error = response.json()["error"]
    assert said in error["message"] and 10 < len(error["message"]) <= 1000 and len(str(error["param"])) <= 100
