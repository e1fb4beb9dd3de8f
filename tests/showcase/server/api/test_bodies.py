"""Bodies that are no request: too large, too slow, too deep, broken off; each gets its own answer, and nobody else."""

import json

import pytest

from course.showcase.server.app import MAX_BODY
from tests.showcase.server.wire import CHAT, HTTP, everything, opened

START = '{"model": "small", "messages": [{"role": "user", "content": "x"}], "max_tokens": 2'
GOOD = (START + "}").encode()
HEAD = f"POST {CHAT} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def post(server, content, kind="application/json"):
    return HTTP.post(server + CHAT, content=content, headers={"content-type": kind})


def error_of(response, status=400):
    assert response.status_code == status, response.text
    error = response.json()["error"]
    assert error["type"] == "invalid_request_error" and 10 < len(error["message"]) <= 1000
    return error["param"], error["code"]


def of_size(size):
    return GOOD[:-1] + b" " * (size - len(GOOD)) + b"}"


def in_chunks(content):
    """Without a Content-Length."""
    for start in range(0, len(content), 10_000):
        yield content[start : start + 10_000]


@pytest.mark.parametrize("sent", [bytes, in_chunks], ids=["with its length", "in chunks"])
def test_a_body_has_a_largest_size(server, sent):
    assert post(server, sent(of_size(MAX_BODY))).status_code == 200
    assert error_of(post(server, sent(of_size(MAX_BODY + 1))), 413) == (None, "body_too_large")
    assert error_of(post(server, sent(b"{" * 20 * MAX_BODY)), 413) == (None, "body_too_large")
    assert post(server, GOOD).status_code == 200


def test_a_body_that_says_it_is_too_large_is_not_waited_for(server):
    with opened(server, f"{HEAD}Expect: 100-continue\r\nContent-Length: {MAX_BODY + 1}\r\n\r\n".encode()) as connection:
        assert connection.recv(12) == b"HTTP/1.1 413"


def nested(depth, opening, closing):
    return f'{START}, "x": {opening * depth}1{closing * depth}}}'


NO_JSON = {
    "nothing": b"",
    "half of it": GOOD[:-1],
    "more after it": GOOD + b"}",
    "arrays, 10,000 deep": nested(10_000, "[", "]"),
    "arrays that never end": "[" * 500_000,
    "a key twice within": START + ', "user": {"a": 1, "b": 2, "a": 1}}',
    "NaN": START + ', "temperature": NaN}',
    "Infinity where any value may be": START.replace('"content"', '"more": Infinity, "content"') + "}",
    "an integer of 5,000 digits": START + f', "seed": {"9" * 5000}}}',
    "Latin-1": (START + ', "user": "é"}').encode("latin-1"),
    "half a surrogate pair in UTF-8": GOOD.replace(b'"x"', b'"\xed\xa0\x80"'),
    "UTF-16": GOOD.decode().encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf" + GOOD,
}


@pytest.mark.parametrize("name", NO_JSON)
def test_what_is_no_json(server, name):
    assert error_of(post(server, NO_JSON[name])) == (None, "invalid_json")


@pytest.mark.parametrize(
    "text",
    ["{", '{"const": NaN}', '{"type": "null", "type": "null"}', "[" * 10_000 + "]" * 10_000],
    ids=["half of it", "NaN", "a key twice", "10,000 deep"],
)
def test_a_schema_in_a_string_is_read_as_strictly(server, text):
    content = f'{START}, "structured_outputs": {{"json": {json.dumps(text)}}}}}'
    assert error_of(post(server, content)) == ("structured_outputs", "invalid_value")


@pytest.mark.parametrize("content", ["null", "[]", '"x"', "1", f"[{GOOD.decode()}]"])
def test_what_is_json_and_no_object(server, content):
    assert error_of(post(server, content)) == (None, "invalid_value")


@pytest.mark.parametrize("key", ["seed", "n", "temperature", "stop_token_ids"])
def test_huge_integers(server, key):
    number = "9" * 400
    value = f"[{number}]" if key == "stop_token_ids" else number
    assert error_of(post(server, f'{START}, "{key}": {value}}}'))[0] == key


def test_only_json_is_read(server):
    assert error_of(post(server, GOOD, "text/plain"), 415) == (None, "unsupported_media_type")
    assert error_of(HTTP.post(server + CHAT, content=GOOD), 415) == (None, "unsupported_media_type")
    assert post(server, GOOD, "Application/JSON; charset=utf-8").status_code == 200


@pytest.mark.parametrize("length", ["Content-Length: 100\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"])
def test_a_body_that_does_not_arrive_is_not_waited_for(impatient_server, length):
    waiting = [opened(impatient_server, (HEAD + length).encode()) for _ in range(40)]
    assert post(impatient_server, GOOD).status_code == 200  # nobody else waits
    for connection in waiting:
        with connection:
            head, _, content = everything(connection).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 408") and b"\r\nconnection: close" in head.lower()
            assert json.loads(content)["error"]["code"] == "timeout"


@pytest.mark.parametrize(
    "sent",
    [
        HEAD,
        HEAD + "Content-Length: 100\r\n\r\n{",
        HEAD + "Transfer-Encoding: chunked\r\n\r\n5\r\n{",
        HEAD + "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
    ids=["in the head", "in the body", "in a chunk", "with a broken chunk"],
)
def test_a_client_that_breaks_off_fails_nobody(server, sent):
    before = failures(server)
    for _ in range(20):
        opened(server, sent.encode()).close()
    assert post(server, GOOD).status_code == 200 and failures(server) == before


def failures(server):
    return [line for line in HTTP.get(server + "/metrics").text.splitlines() if 'status="500"' in line]
