"""What clients send: the bodies of completions and of chat, checked key by key."""

from dataclasses import replace
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import (
    BaseModel,
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from course.showcase.server.constraints import Asked, Constrained, Strict, read_json
from course.showcase.server.errors import ApiError, invalid_body
from labkit.engine import SamplingParams
from labkit.errors import ThinkingTooShort, shortened
from labkit.small_model.tasks.conversations import Turn, prompt_ids, signature
from labkit.small_model.tokenizer import Tokenizer

MAX_CHOICES = 8
"""How many choices a request may have: each is a row of the batch, and takes it from somebody else."""

Key = Annotated[str, Field(max_length=64)]
Value = Annotated[str, Field(max_length=512)]
Metadata = Annotated[dict[Key, Value], Field(max_length=16)]
Bias = Annotated[float, Field(ge=-100, le=100)]
Int = Annotated[int, Field(ge=0, lt=1 << 63)]
"""An integer as other servers can hold it too: JSON's have no limit."""


HARMLESS = (
    "guided_decoding_backend",
    "include_reasoning",
    "prediction",
    "prompt_cache_options",
    "prompt_cache_retention",
    "reasoning",
    "reasoning_effort",
    "verbosity",
)
"""Keys that change how an answer is found or how long it is, never what it may be: we ignore them, and say so."""


class StreamOptions(Strict):
    """Whether the last event of a stream tells the usage, and each chunk which parts of the JSON begin and end.

    Nothing here is padded: there is no obfuscation.
    """

    include_usage: bool = False
    include_pointers: bool = False
    include_obfuscation: Literal[False] | None = None


class Body(Constrained):
    """What both endpoints take. Keys that are only accepted at one value change nothing at that value."""

    model: str
    max_tokens: int | None = Field(None, ge=1)
    temperature: float | None = Field(None, ge=0, le=100)
    top_p: float | None = Field(None, gt=0, le=1)
    top_k: int | None = Field(None, ge=-1, lt=1 << 63)
    min_p: float | None = Field(None, ge=0, le=1)
    repetition_penalty: float | None = Field(None, ge=0.01, le=100)
    seed: Int | None = None
    stop: str | Annotated[list[Annotated[str, Field(min_length=1)]], Field(max_length=64)] | None = None
    stop_token_ids: list[Int] | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    user: str | None = None
    n: int | None = Field(None, ge=1, le=MAX_CHOICES)
    presence_penalty: float | None = Field(None, ge=-2, le=2)
    frequency_penalty: float | None = Field(None, ge=-2, le=2)
    logit_bias: dict[Annotated[str, Field(pattern=r"^(0|[1-9]\d{0,9})$")], Bias] | None = None
    sampler: Literal["masked", "rejection", "smc", "adaptive"] | None = None
    _ignored: list[str] = PrivateAttr(default_factory=list)

    @model_validator(mode="wrap")
    @classmethod
    def _without_harmless_keys(cls, body: Any, read: ModelWrapValidatorHandler[Self]) -> Self:
        """Leave out the keys in ``HARMLESS``, and unknown ones that are null: some clients send every key they know."""
        asked = body if isinstance(body, dict) else {}
        nulls = {key for key, value in asked.items() if value is None and key not in cls.model_fields}
        found = [key for key in HARMLESS if key in asked and key not in nulls | {*cls.model_fields}]
        made = read({key: value for key, value in asked.items() if key not in {*found, *nulls}} if asked else body)
        made.ignore(*found)
        return made

    def ignore(self, *keys: str) -> None:
        """Note keys that change nothing, for ``warnings``."""
        self._ignored += keys

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a client is told that sent harmless keys."""
        return tuple(f"{key} is ignored: it changes nothing here" for key in self._ignored)

    @property
    def tells_pointers(self) -> bool:
        """Whether the chunks of a stream tell events by JSON pointer."""
        return bool(self.stream and self.stream_options and self.stream_options.include_pointers)

    def params(self, max_tokens: int) -> SamplingParams:
        """Return the sampler's settings, where ``max_tokens`` counts if the client gave no limit.

        Raises:
            ApiError: if a setting has no meaning with the ``sampler``.
        """
        try:
            return SamplingParams(
                max_tokens=self.limit() or max_tokens,
                temperature=1.0 if self.temperature is None else self.temperature,
                top_k=max(self.top_k or 0, 0),
                top_p=1.0 if self.top_p is None else self.top_p,
                min_p=self.min_p or 0.0,
                repetition_penalty=self.repetition_penalty or 1.0,
                frequency_penalty=self.frequency_penalty or 0.0,
                presence_penalty=self.presence_penalty or 0.0,
                logit_bias={int(token): bias for token, bias in (self.logit_bias or {}).items()},
                seed=self.seed,
                stop=tuple([self.stop] if isinstance(self.stop, str) else self.stop or ()) if self.stop else (),
                stop_token_ids=tuple(self.stop_token_ids or ()),
                logprobs=self.logprob_count(),
                sampler=self.sampler or "masked",
            )
        except ValueError as error:
            # One by one the values are good: it is the sampler that cannot have one of them.
            raise ApiError(400, f"sampler: {error}", "sampler", "unsupported_value") from error

    def choices(self, max_tokens: int) -> list[SamplingParams]:
        """Return the settings of each choice: the first has the client's seed, the others those after it, as in vLLM.

        Raises:
            ApiError: see ``params``.
        """
        one = self.params(max_tokens)
        seeds = [None if one.seed is None else one.seed + place for place in range(self.n or 1)]
        return [replace(one, seed=seed) for seed in seeds]

    def limit(self) -> int | None:
        """Return how many tokens the client allows, or None."""
        return self.max_tokens

    def kept(self) -> dict[str, Any]:
        """Return what comes back with the answer."""
        return {}

    def logprob_count(self) -> int | None:
        """Return how many logprobs the client wants at each token, or None."""
        return None


class CompletionRequest(Body):
    """The body of ``/v1/completions``: a text, or token ids, that the model goes on with; or a list of such prompts.

    Of several prompts each has its ``n`` choices, those of the first before those of the second.
    """

    prompt: str | list[int] | list[str] | list[list[int]]
    logprobs: int | None = Field(None, ge=0, le=20)
    echo: Literal[False] | None = None
    best_of: Annotated[int, Field(ge=1, le=1)] | None = None
    suffix: Literal[""] | None = None

    def prompts_ids(self, tokenizer: Tokenizer, style: str = "", thinking_begins: str = "") -> list[list[int]]:
        """Return the ids of each prompt."""
        is_one = isinstance(self.prompt, str) or not self.prompt or isinstance(self.prompt[0], int)
        several: Any = [self.prompt] if is_one else self.prompt
        return [tokenizer.encode(each) if isinstance(each, str) else each for each in several]

    def limit(self) -> int | None:
        """Return OpenAI's default of 16, if nothing was said."""
        return self.max_tokens or 16

    def logprob_count(self) -> int | None:
        """Return how many logprobs the client wants."""
        return self.logprobs


class TextPart(Strict):
    """A part of a message: text alone."""

    type: Literal["text"]
    text: str


class FunctionDefinition(Strict):
    """A tool: its name, and the JSON Schema of its arguments. The description has no influence.

    Masks keep the arguments to the schema whether ``strict`` is set or not: OpenAI promises it for strict tools alone.
    """

    name: str = Field(min_length=1)
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None


class OfFunctions(Strict):
    """What says of itself that it's about a function: OpenAI has other tools too."""

    type: Literal["function"]


class ToolDefinition(OfFunctions):
    """What OpenAI's clients send for each tool."""

    function: FunctionDefinition


class FunctionName(Strict):
    """The name of a tool."""

    name: str


class NamedTool(OfFunctions):
    """A ``tool_choice`` that requires a call of one tool."""

    function: FunctionName


class AllowedTool(OfFunctions):
    """A tool among those allowed, as chat completions name it (under ``function``) or as responses do."""

    function: FunctionName | None = None
    name: str | None = None

    @model_validator(mode="after")
    def _one_shape(self) -> Self:
        if (self.function is None) == (self.name is None):
            raise PydanticCustomError("invalid_value", "give either function: {name} or name")
        return self


class ToolSubset(Strict):
    """Which tools may be called, and whether one must be."""

    mode: Literal["auto", "required"]
    tools: list[AllowedTool] = Field(min_length=1)

    @property
    def names(self) -> list[str]:
        """The tools' names."""
        return [tool.function.name if tool.function else str(tool.name) for tool in self.tools]


class AllowedTools(Strict):
    """A ``tool_choice`` of some of the tools, as chat completions have it."""

    type: Literal["allowed_tools"]
    allowed_tools: ToolSubset


class FlatAllowedTools(ToolSubset):
    """The same as the Responses API has it: mode and tools beside the type."""

    type: Literal["allowed_tools"]


class CalledFunction(BaseModel):
    """A function that was called: its name, and its arguments as JSON text."""

    name: str
    arguments: str

    @field_validator("arguments")
    @classmethod
    def _an_object(cls, arguments: str) -> str:
        if not isinstance(read_json(arguments), dict):
            raise ValueError("the arguments are not a JSON object")
        return arguments


class MadeCall(BaseModel):
    """A call of an earlier answer, as it comes back."""

    id: str
    type: Literal["function"]
    function: CalledFunction


class Message(BaseModel):
    """A message. Keys that answers carry, such as ``refusal``, may come back, and mean nothing here."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[TextPart] | None = None
    tool_calls: list[MadeCall] | None = None
    tool_call_id: str | None = None

    @field_validator("content", mode="before")
    @classmethod
    def _is_text(cls, content: Any) -> Any:
        for part in content if isinstance(content, list) else ():
            if isinstance(part, dict) and isinstance(kind := part.get("type"), str) and kind != "text":
                said = "this model reads text alone, no {kind}"
                raise PydanticCustomError("unsupported_value", said, {"kind": shortened(kind, 50)})
        return content

    @model_validator(mode="after")
    def _fits_its_role(self) -> Self:
        if self.content is None and not (self.role == "assistant" and self.tool_calls):
            raise PydanticCustomError("missing", "only an assistant's message with tool_calls may lack content")
        if self.tool_calls and self.role != "assistant":
            raise PydanticCustomError("invalid_value", "only an assistant's message has tool_calls")
        if (self.tool_call_id is None) == (self.role == "tool"):
            raise PydanticCustomError("invalid_value", "a message of the role tool, and no other, has a tool_call_id")
        return self

    @property
    def text(self) -> str:
        """The text of all parts."""
        return "".join(part.text for part in self.content) if isinstance(self.content, list) else self.content or ""

    @property
    def turn(self) -> Turn:
        """The message as the small model's prompt has it."""
        calls = self.tool_calls or ()
        return Turn(self.role, self.text, [(call.function.name, read_json(call.function.arguments)) for call in calls])


class ChatCompletionRequest(Body):
    """The body of ``/v1/chat/completions``.

    ``metadata`` comes back with the answer, as OpenAI's does, and is in the log. ``prompt_cache_key`` and
    ``safety_identifier`` change nothing, like ``user``. Nothing is stored, so ``store`` can't be true.
    """

    messages: list[Message] = Field(min_length=1)
    tools: list[ToolDefinition] | None = Field(None, min_length=1)
    tool_choice: Literal["auto", "none", "required"] | NamedTool | AllowedTools | FlatAllowedTools | None = None
    parallel_tool_calls: bool | None = None
    thinking_token_budget: Int | None = None
    max_completion_tokens: int | None = Field(None, ge=1)
    logprobs: bool | None = None
    top_logprobs: int | None = Field(None, ge=0, le=20)
    metadata: Metadata | None = None
    store: bool | None = None
    modalities: list[str] | None = None
    service_tier: Literal["auto", "default"] | None = None
    prompt_cache_key: str | None = None
    safety_identifier: str | None = None

    @field_validator("store")
    @classmethod
    def _stores_nothing(cls, store: bool | None) -> bool | None:
        if store:
            raise PydanticCustomError("unsupported_value", "this server stores no answers")
        return store

    @field_validator("modalities")
    @classmethod
    def _writes_text(cls, modalities: list[str] | None) -> list[str] | None:
        if modalities not in (None, ["text"]):
            raise PydanticCustomError("unsupported_value", "this model writes text alone")
        return modalities

    @field_validator("messages")
    @classmethod
    def _results_have_calls(cls, messages: list[Message]) -> list[Message]:
        made = set[str]()
        for message in messages:
            if message.tool_call_id is not None and message.tool_call_id not in made:
                raise PydanticCustomError("invalid_value", "a tool_call_id belongs to no call before it")
            made |= {call.id for call in message.tool_calls or ()}
        return messages

    @field_validator("tool_choice")
    @classmethod
    def _can_be_chosen(cls, choice: Any, info: ValidationInfo) -> Any:
        names = [tool.function.name for tool in info.data.get("tools") or ()]
        if not {*_named(choice)} <= {*names}:
            raise PydanticCustomError("invalid_value", "it names no tool of the request")
        if choice == "required" and not names:
            raise PydanticCustomError("invalid_value", "a call is required, and there are no tools")
        return choice

    @property
    def offered(self) -> list[FunctionDefinition]:
        """The tools that the model is shown: all, those that may be called, or none."""
        functions = [tool.function for tool in self.tools or () if self.tool_choice != "none"]
        named = _named(self.tool_choice)
        return [each for each in functions if not named or each.name in named]

    @property
    def needs_masks(self) -> bool:
        """Whether something is asked that masks alone can promise."""
        asked = (self.tool_choice not in (None, "auto"), self.parallel_tool_calls is False)
        calls = bool(self.offered) and any([*asked, *(each.strict for each in self.offered)])
        return calls or bool(self.thinking_token_budget)

    def key_of(self, error: Exception) -> str:
        """Return the key that a constraint came under which cannot be compiled."""
        if isinstance(error, ThinkingTooShort):
            return "thinking_token_budget"
        of_tools = not self._constraints() or getattr(error, "pointer", "").startswith("/tools")
        return "tools" if self.offered and of_tools else super().key_of(error)

    def calls_asked(self) -> Asked:
        """Return what the labs are told about tools, thinking and a format beside them."""
        choice: Any = self.tool_choice
        if choice is not None and not isinstance(choice, str):
            functions = [{"function": {"name": name}} for name in _named(choice)]
            mode = "required" if isinstance(choice, NamedTool) else _subset(choice).mode
            choice = {"allowed_tools": {"mode": mode, "tools": functions}}
        return {
            "type": "tools",
            "tools": [tool.model_dump() for tool in self.tools or ()],
            "tool_choice": choice,
            "parallel_tool_calls": self.parallel_tool_calls is not False,
            "response_format": self.asked(),
            "thinking": self.thinking_token_budget or None,
        }

    def prompts_ids(self, tokenizer: Tokenizer, style: str = "", thinking_begins: str = "") -> list[list[int]]:
        """Return the ids of the one conversation: what the small model was trained on, if it is one message.

        Args:
            style: how the model was trained to call the format of tool calls that it writes.
            thinking_begins: what the prompt ends with, if the model is to think.
        """
        tools = [signature(tool.name, tool.parameters) for tool in self.offered]
        begun = thinking_begins if self.thinking_token_budget else ""
        return [prompt_ids(tokenizer, [message.turn for message in self.messages], tools, style, begun)]

    def kept(self) -> dict[str, Any]:
        """Return what comes back with the answer."""
        return {} if self.metadata is None else {"metadata": self.metadata}

    def limit(self) -> int | None:
        """Return the limit under its new name or its old one."""
        return self.max_completion_tokens or self.max_tokens

    def logprob_count(self) -> int | None:
        """Return how many logprobs the client wants."""
        return (self.top_logprobs or 0) if self.logprobs else None


class ExplainRequest(Constrained):
    """The body of ``/v1/explain``: a constraint, a text that may leave it, and a prompt, for the odds of the model."""

    text: str = Field(max_length=100_000)
    prompt: str | None = None


B = TypeVar("B", bound=Strict)


def read_body(kind: type[B], content: bytes) -> B:
    """Return the body that these bytes are.

    Raises:
        ApiError: if they are no JSON text in UTF-8, or not such a body.

    >>> read_body(CompletionRequest, b'{"model": "small", "prompt": "Hi"}').limit()  # tokens, as OpenAI's default
    16
    """
    try:
        return kind.model_validate(read_json(content.decode()))
    except ValidationError as error:
        raise invalid_body(error.errors()) from error
    except ValueError as error:
        raise ApiError(400, f"the body is not JSON: {error}", None, "invalid_json") from error


def _named(choice: Any) -> list[str]:
    """Return the tools that a ``tool_choice`` names."""
    if isinstance(choice, NamedTool):
        return [choice.function.name]
    return _subset(choice).names if isinstance(choice, AllowedTools | FlatAllowedTools) else []


def _subset(choice: AllowedTools | FlatAllowedTools) -> ToolSubset:
    return choice.allowed_tools if isinstance(choice, AllowedTools) else choice
