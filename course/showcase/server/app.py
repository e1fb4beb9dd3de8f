"""The routes: each turns a body into requests of the engine, and their outputs into an answer or a stream."""

import asyncio
import json
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Collection
from concurrent.futures import Future
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from course.showcase.server.answers import ChatAnswer, CompletionAnswer, Counted, Told, whole_answer
from course.showcase.server.constraints import Asked
from course.showcase.server.errors import ApiError, interruption, refusal
from course.showcase.server.formats import ToolCalls
from course.showcase.server.journal import Entry, Journal
from course.showcase.server.metrics import exposition
from course.showcase.server.protocol import (
    MAX_CHOICES,
    B,
    ChatCompletionRequest,
    CompletionRequest,
    ExplainRequest,
    read_body,
)
from course.showcase.server.responses import ResponseAnswer, ResponsesRequest, renamed
from course.showcase.server.tool_calls import ToolAnswer
from course.showcase.server.worker import EngineWorker
from labkit.engine import Engine, RequestOutput, SamplingParams
from labkit.errors import QueueFull
from labkit.small_model.tokenizer import Tokenizer

T = TypeVar("T")
Outputs = AsyncGenerator[RequestOutput, None]
Answers = dict[str, CompletionAnswer]
"""The choices of one answer, by the ids of the engine's requests."""

CUT = ("abort", "error")
"""How an answer ends that is not complete."""

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""The names that always mean this computer. Others are refused: a page of another site could have its own name point
here (DNS rebinding), and its visitor's browser would say that name."""

MAX_BODY = 1 << 20
"""The most bytes of a request's body. A full context of the small model is 13 KB of text, so this is for the
constraint: it holds the longest pattern that lab 06 compiles, 200,000 characters, five times."""

BODY_SECONDS = 10.0
"""How long a client may take to send its body."""

MAX_EXPLAINING = 2
"""How many texts are explained at a time: fewer than there are processes, or answers would wait for their grammars."""

JSON_FORMATS = ("json_object", "json_schema")
"""The constraints whose texts are JSON."""

NOT_HERE = (
    "this server has POST /v1/chat/completions, /v1/completions, /v1/responses and /v1/explain, and GET /v1/models, "
    "/health and /metrics; it stores no answers and no files"
)
"""What a client is told that asks for anything else."""

UNFORCED = (
    "nothing enforces tool_choice, parallel_tool_calls, strict and thinking_token_budget: "
    "this server runs without masks for tool calls"
)
"""What a client is told that asked for more than a model without masks can promise."""


class Service:
    """An engine, what it is called, and the answers it gives over HTTP.

    Args:
        engine: the engine with its structured outputs; nobody else may use it.
        model_name: the name that clients ask for.
        max_body, body_seconds: how many bytes a body may have, and how long it may take to arrive.
        tool_calls: how the model calls tools; None if requests can have none.
        explain: says as JSON what became of a text under a constraint, with odds if it is told the logits of each token
            after what could be read; it can be cancelled. None if nothing does.
        allowed_hosts: the names that clients may ask for, besides ``LOOPBACK``.
        checkpoint: which weights the model has; ``/v1/models`` calls it the model's root, as vLLM does.
    """

    def __init__(
        self,
        engine: Engine,
        model_name: str = "small",
        max_body: int = MAX_BODY,
        body_seconds: float = BODY_SECONDS,
        tool_calls: ToolCalls | None = None,
        explain: Callable[[Asked, str, list[float] | None], Future[str]] | None = None,
        allowed_hosts: Collection[str] = (),
        checkpoint: str = "final",
    ) -> None:
        self.worker = EngineWorker(engine)
        self.checkpoint = checkpoint
        self.model_name = model_name
        self.max_body = max_body
        self.body_seconds = body_seconds
        self.tool_calls = tool_calls
        self.allowed_hosts = allowed_hosts
        self._explain, self._explaining = explain, 0
        self.max_model_len = engine.max_model_len
        self.tokenizer = Tokenizer.load()
        self.journal = Journal()
        self.draining = False

    def app(self) -> ASGIApp:
        """Return the application, which starts and stops the engine's thread."""
        posts = {
            "/v1/completions": self.completions,
            "/v1/chat/completions": self.chat_completions,
            "/v1/responses": self.responses,
            "/v1/explain": self.explain,
        }
        gets = {
            "/v1/models": self.models,
            "/v1/models/{name:path}": self.model,
            "/health": self.health,
            "/metrics": self.metrics,
        }
        hosts = [*LOOPBACK, *self.allowed_hosts]
        app = Starlette(
            routes=[
                *(Route(path, answer, methods=["POST"]) for path, answer in posts.items()),
                *(Route(path, answer) for path, answer in gets.items()),
            ],
            middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=hosts, www_redirect=False)],
            exception_handlers=dict.fromkeys((ApiError, HTTPException, ClientDisconnect, Exception), self._say),
            lifespan=self._lifespan,
        )
        return self.journal.around(app)

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self.worker.start()
        yield
        await self.worker.stop()

    def begin_shutdown(self, seconds: float) -> None:
        """Take no more requests; after this time, end those that still run and tell their clients."""
        self.draining = True
        asyncio.get_running_loop().call_later(seconds, self.worker.abort_all)

    async def completions(self, request: Request) -> Response:
        """Answer ``POST /v1/completions``."""
        body = await self._body(request, CompletionRequest)
        return await self._answer(request, body, "prompt", CompletionAnswer, "cmpl")

    async def chat_completions(self, request: Request) -> Response:
        """Answer ``POST /v1/chat/completions``."""
        body = await self._body(request, ChatCompletionRequest)
        return await self._answer(request, body, "messages", ChatAnswer, "chatcmpl")

    async def responses(self, request: Request) -> Response:
        """Answer ``POST /v1/responses``: with a chat completion, told as a response."""
        asked = await self._body(request, ResponsesRequest)
        told = ResponseAnswer(asked, f"resp_{uuid.uuid4().hex}")
        try:
            return await self._answer(request, asked.chat(), "messages", ChatAnswer, "chatcmpl", told)
        except ApiError as error:
            raise renamed(error) from error

    async def explain(self, request: Request) -> Response:
        """Answer ``POST /v1/explain``: where a text leaves a constraint, and what could have come instead."""
        body = await self._body(request, ExplainRequest)
        if self._explaining >= MAX_EXPLAINING:
            raise refusal(QueueFull("texts are being explained", MAX_EXPLAINING), "")
        self._explaining += 1
        try:
            return self._json_text(await _unless_gone(request, self._explained(body)))
        except ClientDisconnect:
            raise
        except Exception as error:
            raise refusal(error, body.key_of(error)) from error
        finally:
            self._explaining -= 1

    async def _explained(self, body: ExplainRequest) -> str:
        """Return the report as JSON; if there is a prompt, with the model's odds, for which the engine takes a step."""
        if self._explain is None:
            raise ApiError(404, "this server explains nothing", None, "not_found")
        ask = partial(self._explain, body.asked() or {"type": "text"}, body.text)
        found = await asyncio.wrap_future(ask(None))
        if body.prompt is None:
            return found
        read = body.text.encode()[: json.loads(found)["at"]].decode("utf-8", "ignore")  # to a whole character
        ids = [*self.tokenizer.prompt(body.prompt), *self.tokenizer.encode(read)]
        if len(ids) >= self.max_model_len:
            said = f"the prompt and the text that may come have {len(ids)} tokens; the context is {self.max_model_len}"
            raise ApiError(400, said, "prompt", "context_length_exceeded")
        params = SamplingParams(max_tokens=1, temperature=0, logprobs=len(self.tokenizer.vocabulary))
        async with aclosing(self.worker.stream({f"explain-{uuid.uuid4().hex}": (ids, params)}, None)) as outputs:
            first = await anext(outputs)
        if first.logprob is None:
            raise _cut(first, body.key_of)
        return await asyncio.wrap_future(ask([logprob for _, logprob in sorted(first.logprob.top)]))

    async def models(self, request: Request) -> Response:
        """Answer ``GET /v1/models``."""
        return self._json({"object": "list", "data": [self._model()]})

    async def model(self, request: Request) -> Response:
        """Answer ``GET /v1/models/{name}``."""
        self._known(request.path_params["name"])
        return self._json(self._model())

    def _model(self) -> dict[str, Any]:
        model = {"id": self.model_name, "object": "model", "created": 0, "owned_by": "mask-the-logits"}
        return model | {"root": self.checkpoint, "max_model_len": self.max_model_len}

    async def health(self, request: Request) -> Response:
        """Answer ``GET /health``: 200 while requests are taken, and answered."""
        if self.draining:
            raise ApiError(503, "the server is shutting down", None, "shutting_down")
        self._check_engine()
        return self._json({"status": "ok"})

    def _check_engine(self) -> None:
        """Raise an error that says so if the engine's thread has been in one turn for too long."""
        if (stall := self.worker.watchdog.stall) is not None:
            since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(stall.since))
            about = f"with {', '.join(stall.requests)}" if stall.requests else "with a pass of the model"
            said = f"the engine has been busy for {time.time() - stall.since:.1f} s, since {since}, {about}"
            raise ApiError(503, said, None, "engine_busy")

    async def metrics(self, request: Request) -> Response:
        """Answer ``GET /metrics``."""
        self._check_engine()
        # In the engine's thread, so that the numbers belong together.
        page = await self.worker.ask(lambda: exposition(self.worker, self.journal.registry))
        return Response(page, media_type=CONTENT_TYPE_PLAIN_0_0_4)

    async def _answer(
        self,
        request: Request,
        body: CompletionRequest | ChatCompletionRequest,
        key: str,
        kind: type[CompletionAnswer],
        prefix: str,
        told: Told | None = None,
    ) -> Response:
        entry: Entry = request.scope["entry"]
        entry.read = time.monotonic()
        self._known(body.model)
        prompts = self._prompts(body, key)
        name = f"{prefix}-{uuid.uuid4().hex}"
        try:
            choices = [(ids, one) for ids in prompts for one in body.choices(self.max_model_len - len(ids))]
            params, asked, read = choices[0][1], self._asked(body), sum(map(len, prompts))
            if outside := [token for token in params.logit_bias if token >= len(self.tokenizer.vocabulary)]:
                said = f"token id {outside[0]} lies outside the vocabulary of {len(self.tokenizer.vocabulary)} tokens"
                raise ApiError(400, said, "logit_bias", "invalid_value")
            entry.prompt_tokens, entry.format = read, asked["type"] if asked else "text"
            entry.metadata = body.kept().get("metadata")
            words = (name, self.model_name, read, self.tokenizer.vocabulary)
            answers = {f"{name}-{place}": kind(*words, index=place) for place in range(len(choices))}
            outputs = self.worker.stream(dict(zip(answers, choices, strict=True)), asked, entry)
            # What is wrong with a request shows before its first token: up to here it can still be a 400.
            first = await _unless_gone(request, anext(outputs))
        except ClientDisconnect:
            raise
        except Exception as error:
            raise refusal(error, body.key_of(error)) from error
        if first.error is not None:
            await outputs.aclose()
            raise refusal(first.error, body.key_of(first.error)) from first.error
        first = replace(first, warnings=(*body.warnings, *first.warnings))
        return await self._send(request, body, params, answers, first, outputs, told or Told())

    async def _send(
        self,
        request: Request,
        body: CompletionRequest | ChatCompletionRequest,
        params: SamplingParams,
        answers: Answers,
        first: RequestOutput,
        outputs: Outputs,
        told: Told,
    ) -> Response:
        """Answer with what begins with this output, whole or as a stream."""
        entry: Entry = request.scope["entry"]
        if isinstance(body, ChatCompletionRequest) and (body.offered or body.thinking_token_budget):
            try:
                answers, first = await self._with_tools(body, answers, params, first)
            except Exception as error:
                await outputs.aclose()
                raise refusal(error, "tools") from error
        entry.unread = lambda: any(answer.unread for answer in answers.values())
        if body.stream:
            for answer in answers.values():
                answer.tells_pointers = body.tells_pointers
            usage = bool(body.stream_options and body.stream_options.include_usage)
            events = _events(entry, answers, first, outputs, usage, told, body.key_of)
            return StreamingResponse(events, media_type="text/event-stream")
        found = await _unless_gone(request, _all(first, outputs))
        if found[-1].finish_reason in CUT:
            raise _cut(found[-1], body.key_of)
        return self._json(told.whole(whole_answer(answers, found) | body.kept()))

    async def _body(self, request: Request, kind: type[B]) -> B:
        content = await self._content(request)
        if self.draining:
            raise ApiError(503, "the server is shutting down", None, "shutting_down")
        return read_body(kind, content)

    async def _content(self, request: Request) -> bytes:
        """Return the body's bytes, which are counted as they arrive: a chunked body does not say how long it is."""
        # A page of another site may post text to a server on this computer, but not JSON.
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise ApiError(415, "the Content-Type must be application/json", None, "unsupported_media_type")
        content, size = bytearray(), int(request.headers.get("content-length", "0"))
        chunks = request.stream()
        try:
            async with asyncio.timeout(self.body_seconds):
                while size <= self.max_body and (chunk := await anext(chunks, None)) is not None:
                    content += chunk
                    size = max(size, len(content))
        except TimeoutError:
            raise ApiError(408, f"the body did not arrive within {self.body_seconds:g} s", None, "timeout") from None
        if size > self.max_body:
            raise ApiError(413, f"a body may have at most {self.max_body:,} bytes", None, "body_too_large")
        return bytes(content)

    def _prompts(self, body: CompletionRequest | ChatCompletionRequest, key: str) -> list[list[int]]:
        """Return the ids of each prompt, which leave room for an answer."""
        try:
            calls = self.tool_calls
            prompts = body.prompts_ids(self.tokenizer, *((calls.style, calls.thinking_begins) if calls else ()))
        except ValueError as error:
            raise ApiError(400, str(error), key, "invalid_value") from error
        if len(prompts) * (body.n or 1) > MAX_CHOICES:
            said = f"{len(prompts)} prompts with {body.n or 1} choices each; {MAX_CHOICES} answers are the limit"
            raise ApiError(400, said, key, "invalid_value")
        for prompt in prompts:
            self._check_prompt(prompt, body, key)
        return prompts

    def _check_prompt(self, prompt: list[int], body: CompletionRequest | ChatCompletionRequest, key: str) -> None:
        if not prompt:
            raise ApiError(400, "the prompt is empty", key, "invalid_value")
        if not 0 <= min(prompt) <= max(prompt) < len(self.tokenizer.vocabulary):
            raise ApiError(400, "a token id lies outside the vocabulary", key, "invalid_value")
        max_tokens = body.limit() or 1
        if len(prompt) + max_tokens > self.max_model_len:
            said = f"the prompt has {len(prompt)} tokens and max_tokens is {max_tokens}"
            param = key if len(prompt) >= self.max_model_len else "max_tokens"
            raise ApiError(400, f"{said}; the context is {self.max_model_len}", param, "context_length_exceeded")

    def _asked(self, body: CompletionRequest | ChatCompletionRequest) -> Asked | None:
        """Return the constraint, which is the tools where masks know them."""
        asked = self._constraint(body)
        if body.tells_pointers and (asked or {}).get("type") not in (*JSON_FORMATS, "tools"):
            said = "include_pointers needs a constraint to JSON: json_object, json_schema, or tools with masks"
            raise ApiError(400, said, "stream_options", "unsupported_value")
        return asked

    def _constraint(self, body: CompletionRequest | ChatCompletionRequest) -> Asked | None:
        if not isinstance(body, ChatCompletionRequest) or not (body.tools or body.thinking_token_budget):
            return body.asked()
        if self.tool_calls is None:
            key = "tools" if body.tools else "thinking_token_budget"
            raise ApiError(400, "this server takes no tools and no thinking", key, "unsupported_value")
        asked, together = body.asked(), body.offered or body.thinking_token_budget
        if asked and together and not self.tool_calls.masks:
            said = (
                "beside tools or thinking, a format needs the masks for tool calls, and this server runs without them"
            )
            raise ApiError(400, said, body.key_of(ValueError()), "unsupported_value")
        return asked if asked and not together else body.calls_asked() if self.tool_calls.masks else None

    def _known(self, model: str) -> None:
        if model != self.model_name:
            said = f"there is no model {model!r}, only {self.model_name!r}"
            raise ApiError(404, said, "model", "model_not_found")

    async def _with_tools(
        self, body: ChatCompletionRequest, answers: Answers, params: SamplingParams, first: RequestOutput
    ) -> tuple[Answers, RequestOutput]:
        """Return answers that tell text and calls apart, and the first output with a warning where it is due."""
        assert self.tool_calls is not None
        found: Answers = {}
        is_json = (body.asked() or {}).get("type") in JSON_FORMATS
        for name, answer in answers.items():
            # In another thread: for 200 tools it can take a fifth of a second.
            reader = await asyncio.to_thread(self.tool_calls.reader, body.calls_asked())
            words = (answer.name, answer.model, answer.prompt_tokens, answer.vocabulary, answer.index)
            written = self.tool_calls.vocabulary
            found[name] = ToolAnswer(*words, reader=reader, written=written, params=params, content_is_json=is_json)
        if body.needs_masks and not self.tool_calls.masks:
            first = replace(first, warnings=(*first.warnings, UNFORCED))
        return found, first

    def _json(self, content: object) -> Response:
        # In ASCII: a prompt may hold half a surrogate pair, which UTF-8 cannot encode.
        return self._json_text(json.dumps(content))

    def _json_text(self, text: str) -> Response:
        return Response(text, media_type="application/json")

    async def _say(self, request: Request, error: Exception) -> Response:
        if isinstance(error, ClientDisconnect):
            return Response(status_code=499)
        if isinstance(error, HTTPException):
            code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "invalid_value")
            said = (
                f"{request.method} {request.url.path}: {NOT_HERE}" if error.status_code in (404, 405) else error.detail
            )
            error = ApiError(error.status_code, said, None, code)
        elif not isinstance(error, ApiError):
            error = ApiError(500, "the server failed", None, "internal_error")
        return Refused(error)


class Refused(Response):
    """An error as an answer, which the log tells too."""

    def __init__(self, error: ApiError) -> None:
        # In ASCII: an error may quote half a surrogate pair, which UTF-8 cannot encode.
        super().__init__(json.dumps(error.body()), error.status, error.headers, "application/json")
        self._error = error

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        scope["entry"].error = self._error
        await super().__call__(scope, receive, send)


async def _all(first: RequestOutput, outputs: Outputs) -> list[RequestOutput]:
    """Return all outputs, or those up to the first with which an answer is cut."""
    found = [first]
    async with aclosing(outputs):
        while found[-1].finish_reason not in CUT and (output := await anext(outputs, None)):
            found.append(output)
    return found


async def _events(
    entry: Entry,
    answers: Answers,
    first: RequestOutput,
    outputs: Outputs,
    usage: bool,
    told: Told,
    key_of: Callable[[Exception], str],
) -> AsyncIterator[str]:
    """Yield the events of a stream; when the client is gone, leaving this closes ``outputs``, which aborts."""
    counted, begun = Counted(), set[str]()
    for text in told.begin():
        yield text
    async with aclosing(outputs):
        output: RequestOutput | None = first
        while output is not None:
            try:
                if output.finish_reason in CUT:
                    raise _cut(output, key_of)
                events = answers[output.request_id].chunks(output, first=output.request_id not in begun)
            except ApiError as error:
                entry.error = error
                for text in told.failed(error):
                    yield text
                return
            for event in events:
                for text in told.chunk(event):
                    yield text
            begun.add(output.request_id)
            counted.note(output)
            output = await anext(outputs, None)
    if usage:
        for text in told.chunk(next(iter(answers.values())).last(counted)):
            yield text
    for text in told.end():
        yield text


def _cut(output: RequestOutput, key_of: Callable[[Exception], str]) -> ApiError:
    """Return what a client is told about an answer that was begun and not finished."""
    if output.finish_reason == "abort":
        return ApiError(503, "the server is shutting down; this answer is not complete", None, "shutting_down")
    assert output.error is not None
    return interruption(output.error, key_of(output.error))


async def _unless_gone(request: Request, work: Awaitable[T]) -> T:
    """Return the result of the work, which is cancelled if the client vanishes first.

    Raises:
        ClientDisconnect: then.
    """
    task, gone = asyncio.ensure_future(work), asyncio.ensure_future(_disconnect(request))
    try:
        await asyncio.wait([task, gone], return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientDisconnect
        return task.result()
    finally:
        for each in (task, gone):
            if not each.done():
                each.cancel()
        await asyncio.gather(task, gone, return_exceptions=True)


async def _disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
