"""The Responses API, without its memory: a body becomes a chat completion's, and that answer becomes a response.

Nothing here knows the engine. ``ResponsesRequest.chat`` translates what came, and ``ResponseAnswer`` what goes back.
OpenAI keeps conversations and runs tools of its own under this name; both need a server that remembers, so what asks
for them is refused.
"""

import json
import re
import time
from collections.abc import Iterator
from copy import deepcopy
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, Field, TypeAdapter, ValidationError, field_validator, model_validator
from pydantic_core import PydanticCustomError

from course.showcase.server.answers import Told
from course.showcase.server.constraints import (
    GrammarFormat,
    JsonObjectFormat,
    NamedSchema,
    RegexFormat,
    Strict,
    TextFormat,
)
from course.showcase.server.errors import ApiError, invalid_body
from course.showcase.server.protocol import (
    Body,
    ChatCompletionRequest,
    FlatAllowedTools,
    FunctionDefinition,
    FunctionName,
    Metadata,
    OfFunctions,
)
from labkit.errors import shortened

LOGPROBS = "message.output_text.logprobs"
"""The one thing that ``include`` can ask for here."""

KEYS = {"messages": "input", "response_format": "text", "max_tokens": "max_output_tokens"}
"""What a chat completion calls a key, and what a response calls it: for errors."""


class Part(BaseModel):
    """A part of a message: text that came or was written."""

    type: Literal["input_text", "output_text"]
    text: str


def _are_texts(content: Any) -> Any:
    """Refuse parts that are no text: what this model can't read."""
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict) and part.get("type") not in ("input_text", "output_text"):
            said = "this model reads text alone (input_text), no {kind}"
            raise PydanticCustomError("unsupported_value", said, {"kind": shortened(str(part.get("type")), 50)})
    return content


Texts = Annotated[str | list[Part], BeforeValidator(_are_texts)]


class SaidItem(BaseModel):
    """A message, of either side."""

    type: Literal["message"] = "message"
    role: Literal["system", "developer", "user", "assistant"]
    content: Texts

    def message(self) -> dict[str, Any]:
        """Return it as a message of a chat."""
        return {"role": self.role, "content": _text(self.content)}


class CallItem(BaseModel):
    """A call of an earlier answer, as it comes back."""

    type: Literal["function_call"]
    call_id: str
    name: str
    arguments: str

    def message(self) -> dict[str, Any]:
        """Return it as a message of a chat."""
        function = {"name": self.name, "arguments": self.arguments}
        return {"role": "assistant", "tool_calls": [{"id": self.call_id, "type": "function", "function": function}]}


class ResultItem(BaseModel):
    """What a called function returned."""

    type: Literal["function_call_output"]
    call_id: str
    output: Texts

    def message(self) -> dict[str, Any]:
        """Return it as a message of a chat."""
        return {"role": "tool", "tool_call_id": self.call_id, "content": _text(self.output)}


ITEMS: TypeAdapter[Any] = TypeAdapter(
    list[Annotated[SaidItem | CallItem | ResultItem, Field(discriminator="type")]], config={"strict": True}
)


class FlatFunction(FunctionDefinition, OfFunctions):
    """A tool: its name and the schema of its arguments, beside the type."""


class FlatName(FunctionName, OfFunctions):
    """A ``tool_choice`` that requires a call of one tool."""


class FlatSchema(NamedSchema):
    """What a chat completion has under ``json_schema``, beside the type."""

    type: Literal["json_schema"]


class TextOptions(Strict):
    """How the text is to be: its format, and a wish for its length, which changes nothing."""

    format: (
        Annotated[TextFormat | JsonObjectFormat | FlatSchema | RegexFormat | GrammarFormat, Field(discriminator="type")]
        | None
    ) = None
    verbosity: str | None = None

    def response_format(self) -> dict[str, Any] | None:
        """Return the format as a chat completion has it."""
        if self.format is None:
            return None
        form = self.format.model_dump(by_alias=True, exclude_none=True)
        if isinstance(self.format, FlatSchema):
            return {"type": form.pop("type"), "json_schema": form}
        return form


class ResponsesRequest(Body):
    """The body of ``/v1/responses``. What it shares with the other endpoints it has from ``Body``."""

    input: str | list[Any] = Field(min_length=1)
    instructions: str | None = None
    text: TextOptions | None = None
    tools: list[FlatFunction] | None = None
    tool_choice: Literal["auto", "none", "required"] | FlatName | FlatAllowedTools | None = None
    parallel_tool_calls: bool | None = None
    max_output_tokens: int | None = Field(None, ge=1)
    top_logprobs: int | None = Field(None, ge=0, le=20)
    include: list[Literal["message.output_text.logprobs", "reasoning.encrypted_content"]] | None = None
    metadata: Metadata | None = None
    previous_response_id: str | None = None
    conversation: str | dict[str, Any] | None = None
    store: bool | None = None
    background: Literal[False] | None = None
    truncation: Literal["disabled"] | None = None
    service_tier: Literal["auto", "default"] | None = None
    prompt_cache_key: str | None = None
    safety_identifier: str | None = None
    n: Annotated[int, Field(ge=1, le=1)] | None = None

    @field_validator("previous_response_id", "conversation")
    @classmethod
    def _remembers_nothing(cls, value: Any) -> Any:
        if value is not None:
            said = "this server stores no answers: send the whole conversation as input"
            raise PydanticCustomError("unsupported_value", said)
        return value

    @field_validator("input")
    @classmethod
    def _has_items_of_known_types(cls, value: Any) -> Any:
        known = ("message", "function_call", "function_call_output", "reasoning")
        for item in value if isinstance(value, list) else ():
            kind = item.get("type", "message") if isinstance(item, dict) else type(item).__name__
            if kind not in known:
                said = "items are messages, function calls and their outputs, no {kind}"
                raise PydanticCustomError("unsupported_value", said, {"kind": shortened(str(kind), 50)})
        return value

    @model_validator(mode="after")
    def _has_one_format(self) -> Self:
        if self.text and self.text.format and (others := [*self._constraints()]):
            said = "text.format and {other} exclude each other"
            raise PydanticCustomError("conflicting_constraints", said, {"other": others[0]})
        return self

    def chat(self) -> ChatCompletionRequest:
        """Return the chat completion that asks for the same.

        Raises:
            ApiError: if there is none.

        >>> asked = ResponsesRequest(model="small", instructions="Be brief.", input="Hi", max_output_tokens=9)
        >>> [(message.role, message.text) for message in asked.chat().messages], asked.chat().limit()
        ([('system', 'Be brief.'), ('user', 'Hi')], 9)
        """
        own = {*ResponsesRequest.model_fields} - {*ChatCompletionRequest.model_fields}
        asked = self.model_dump(by_alias=True, exclude_none=True, exclude={*own, "stream_options", "tools", "store"})
        asked |= {"messages": self._messages(), "max_completion_tokens": self.max_output_tokens}
        asked |= {"response_format": self.text.response_format()} if self.text and self.text.format else {}
        asked |= {"tools": [_nested(tool) for tool in self.tools]} if self.tools else {}
        if isinstance(self.tool_choice, FlatName):
            asked["tool_choice"] = {"type": "function", "function": {"name": self.tool_choice.name}}
        asked["logprobs"] = LOGPROBS in (self.include or ()) or bool(self.top_logprobs)
        asked["stream_options"] = {"include_usage": True} if self.stream else None
        try:
            made = ChatCompletionRequest.model_validate(asked)
        except ValidationError as error:
            raise renamed(invalid_body(error.errors())) from error
        made.ignore(*self._ignored, *["text.verbosity"] * bool(self.text and self.text.verbosity))
        return made

    def _messages(self) -> list[dict[str, Any]]:
        """Return the conversation; calls belong to the message that they came with."""
        items = [{"role": "user", "content": self.input}] if isinstance(self.input, str) else self.input
        # Thoughts come back with an answer's other items; the model was not trained to read its own.
        items = [{"type": "message"} | item for item in items if item.get("type") != "reasoning"]
        try:
            read = ITEMS.validate_python(items)
        except ValidationError as error:
            first = error.errors()[0]
            raise invalid_body([{**first, "loc": ("input", *first["loc"])}]) from error
        found: list[dict[str, Any]] = [{"role": "system", "content": self.instructions}] if self.instructions else []
        for item in read:
            message = item.message()
            if isinstance(item, CallItem) and found and found[-1]["role"] == "assistant":
                found[-1]["tool_calls"] = [*found[-1].get("tool_calls", ()), *message["tool_calls"]]
            else:
                found.append(message)
        return found


class ResponseAnswer(Told):
    """A response as it grows, told the chat completion's answer: its chunks, or the whole.

    Args:
        body: what was asked.
        name: the id of the response.

    >>> answer = ResponseAnswer(ResponsesRequest(model="small", input="Hi"), "resp_1")
    >>> told = [*answer.begin(), *answer.chunk({"choices": [{"delta": {"content": "Ho"}, "finish_reason": "stop"}]})]
    >>> [json.loads(text.split("data: ")[1])["type"].removeprefix("response.") for text in told][:5]
    ['created', 'in_progress', 'output_item.added', 'content_part.added', 'output_text.delta']
    """

    def __init__(self, body: ResponsesRequest, name: str) -> None:
        self._count, self._open = 0, False
        self._calls: list[dict[str, Any]] = []
        self._reason: str | None = None
        self.response: dict[str, Any] = {
            "id": name,
            "object": "response",
            "created_at": int(time.time()),
            "status": "in_progress",
            "error": None,
            "incomplete_details": None,
            "output": [],
            "usage": None,
            "store": False,
            "background": False,
            "previous_response_id": None,
        } | _echoed(body)

    def whole(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Return the response that a whole chat completion is."""
        (choice,) = answer["choices"]
        for _ in self.chunk(answer | {"choices": [choice | {"delta": choice["message"]}]}):
            pass
        return self.response

    def begin(self) -> Iterator[str]:
        """Yield the events with which a stream begins."""
        yield self._event("response.created", response=self.response)
        yield self._event("response.in_progress", response=self.response)

    def chunk(self, chunk: dict[str, Any]) -> Iterator[str]:
        """Yield the events of a chunk; the one with the usage is the last."""
        if "warnings" in chunk:
            self.response["warnings"] = chunk["warnings"]
        for choice in chunk["choices"]:
            delta, text = choice["delta"], choice["delta"].get("content")
            logprobs = (choice.get("logprobs") or {}).get("content") or []
            if text or (text == "" and logprobs):  # half a character is no text yet, and EOS never is
                yield from self._say(text, logprobs)
            for call in delta.get("tool_calls") or ():
                yield from self._call(call)
            self._reason = choice["finish_reason"] or self._reason
        if chunk.get("usage"):
            yield from self._finish(chunk["usage"])

    def end(self) -> Iterator[str]:
        """Yield what comes after the last chunk: nothing, for ``response.completed`` has come."""
        return iter(())

    def failed(self, error: ApiError) -> Iterator[str]:
        """Yield the events of an answer that cannot go on."""
        code = "server_error" if error.status >= 500 else "invalid_prompt"
        self.response |= {"status": "failed", "error": {"code": code, "message": error.message}}
        yield self._event("response.failed", response=self.response)
        yield self._event("error", code=error.code, message=error.message, param=renamed(error).param)

    def _say(self, text: str, logprobs: list[Any]) -> Iterator[str]:
        if not (self._open and self.response["output"][-1]["type"] == "message"):
            yield from self._close("completed")
            yield from self._add({"type": "message", "role": "assistant", "content": []}, "msg")
            item, place = self._last()
            item["content"].append({"type": "output_text", "text": "", "annotations": [], "logprobs": []})
            yield self._event("response.content_part.added", **place, content_index=0, part=item["content"][0])
        item, place = self._last()
        item["content"][0]["text"] += text
        item["content"][0]["logprobs"] += logprobs
        yield self._event("response.output_text.delta", **place, content_index=0, delta=text, logprobs=logprobs)

    def _call(self, call: dict[str, Any]) -> Iterator[str]:
        """Go on with a call; a whole answer's calls have no index, for each of them is new."""
        if call.get("index", len(self._calls)) == len(self._calls):
            yield from self._close("completed")
            told = {"call_id": call["id"], "name": call["function"]["name"], "arguments": ""}
            yield from self._add({"type": "function_call"} | told, "fc")
            self._calls.append(self.response["output"][-1])
        if more := call["function"].get("arguments"):
            item, place = self._last()
            item["arguments"] += more
            yield self._event("response.function_call_arguments.delta", **place, delta=more)

    def _finish(self, usage: dict[str, Any]) -> Iterator[str]:
        cut = self._reason == "length"
        status = "incomplete" if cut else "completed"
        yield from self._close(status)
        self.response |= {
            "status": status,
            "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
            "usage": {
                "input_tokens": usage["prompt_tokens"],
                "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
                "output_tokens": usage["completion_tokens"],
                "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": usage["total_tokens"],
            },
        }
        yield self._event(f"response.{status}", response=self.response)

    def _add(self, item: dict[str, Any], prefix: str) -> Iterator[str]:
        """Open an item of the output."""
        number = len(self.response["output"])
        name = f"{prefix}_{self.response['id'].partition('_')[2]}_{number}"
        self.response["output"].append({"id": name, "status": "in_progress"} | item)
        self._open = True
        yield self._event("response.output_item.added", output_index=number, item=self.response["output"][-1])

    def _close(self, status: str) -> Iterator[str]:
        """Say of the open item, if there is one, that no more of it comes."""
        if not self._open:
            return
        item, place = self._last()
        if item["type"] == "message":
            part = item["content"][0]
            told = {"text": part["text"], "logprobs": part["logprobs"]}
            yield self._event("response.output_text.done", **place, content_index=0, **told)
            yield self._event("response.content_part.done", **place, content_index=0, part=part)
        else:
            told = {"name": item["name"], "arguments": item["arguments"]}
            yield self._event("response.function_call_arguments.done", **place, **told)
        item["status"], self._open = status, False
        yield self._event("response.output_item.done", output_index=place["output_index"], item=item)

    def _last(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the open item, and how events name it."""
        item = self.response["output"][-1]
        return item, {"item_id": item["id"], "output_index": len(self.response["output"]) - 1}

    def _event(self, kind: str, **told: Any) -> str:
        self._count += 1
        return f"event: {kind}\ndata: {json.dumps({'type': kind, 'sequence_number': self._count - 1} | told)}\n\n"


def renamed(error: ApiError) -> ApiError:
    """Return an error about a chat completion's key as one about a response's.

    >>> error = renamed(ApiError(400, "messages: too short", "messages"))
    >>> error.param, error.message
    ('input', 'input: too short')
    """
    name = KEYS.get(error.param or "")
    if error.param is None or name is None:
        return error
    return ApiError(error.status, re.sub(rf"\b{error.param}\b", name, error.message), name, error.code)


def _text(content: str | list[Part]) -> str:
    return content if isinstance(content, str) else "".join(part.text for part in content)


def _nested(tool: FlatFunction) -> dict[str, Any]:
    told = tool.model_dump(exclude_none=True)
    return {"type": told.pop("type"), "function": told}


def _echoed(body: ResponsesRequest) -> dict[str, Any]:
    """Return what a response repeats of the request, with the defaults of what was left out."""
    told = body.model_dump(by_alias=True)
    same = ("model", "instructions", "metadata", "max_output_tokens", "top_logprobs", "user", "prompt_cache_key")
    return deepcopy({key: told[key] for key in same}) | {
        "tools": told["tools"] or [],
        "tool_choice": told["tool_choice"] or "auto",
        "parallel_tool_calls": told["parallel_tool_calls"] is not False,
        "temperature": 1.0 if body.temperature is None else body.temperature,
        "top_p": 1.0 if body.top_p is None else body.top_p,
        "text": {"format": (told["text"] or {}).get("format") or {"type": "text"}},
        "reasoning": {"effort": None, "summary": None},
        "truncation": "disabled",
        "service_tier": "default",
    }
