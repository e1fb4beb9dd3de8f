"""Two turns of the small model under one mask each: it thinks and calls a tool, then thinks and answers in JSON.

``python3 -m labs.lab_11_tool_calls.turns`` prints them. The model was never trained to think, so its thoughts are odd;
what comes after them is what the mask promises.
"""

from collections.abc import Iterator

from labkit.server.whole_answer import WholeAnswer
from labkit.small_model.generation import Generator, Request
from labkit.small_model.tasks.forms import closed
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import SmallModel
from labkit.vocabulary import Vocabulary
from labs.assembled import tool_outputs
from labs.lab_11_tool_calls.given.formats import format_named
from labs.lab_11_tool_calls.solution import ToolCallStream

WEATHER = closed({"city": {"type": "string"}, "unit": {"enum": ["celsius", "fahrenheit"]}})
TOOLS = [{"type": "function", "function": {"name": "get_weather", "parameters": WEATHER}}]
REPORT = closed({"unit": {"enum": ["celsius", "fahrenheit"]}, "temperature": {"type": "integer"}})
PROMPT = "Tools:\nget_weather(city: string, unit: celsius|fahrenheit)\nStyle: hermes\nWeather in Rome in celsius?"
RESULT = '{"temperature": 13, "unit": "celsius"}'
THINKING = 16
"""How many tokens the model may think before each answer."""


def turns() -> Iterator[tuple[str, str]]:
    """Yield what is said in both turns, each with who says it."""
    tokenizer, row, model = Tokenizer.load(), format_named("hermes"), SmallModel.load("final")
    manager = tool_outputs(Vocabulary.small(), row.name)
    user, assistant = (tokenizer.special_ids[f"<|{role}|>"] for role in ("user", "assistant"))
    ids = tokenizer.prompt(PROMPT)
    for choice in ("required", "auto"):
        form = {"type": "json_schema", "schema": REPORT}
        asked = {"tools": TOOLS, "tool_choice": choice, "response_format": form, "thinking": THINKING}
        wanted = manager.wanted(asked)[1]
        guide = manager.compile_tools(*wanted)
        request = Request([*ids, *tokenizer.encode(row.thinks[0])], 80, guide, True, temperature=0.0)
        (given,) = Generator(model, Vocabulary.small()).answer([request])
        text = tokenizer.decode(given.ids, special=True)
        answer = WholeAnswer(ToolCallStream(row, wanted[0], guide.answer()), guide.form(), row.thinks[1])
        answer.feed(text)
        answer.finish()
        message = answer.message("stop")[0]
        yield f"thinks, for {THINKING} tokens at most", message["reasoning_content"]
        for call in message.get("tool_calls", ()):
            yield f"calls {call['function']['name']}", call["function"]["arguments"]
            yield "is told", RESULT
        if message["content"]:
            yield "answers", message["content"]
        # Thoughts are left out of the next prompt.
        said = tokenizer.encode(text.partition(row.thinks[1])[2])
        ids = [*ids, *said, tokenizer.eos_id, user, *tokenizer.encode(f"Result: {RESULT}"), assistant]


def main() -> None:
    """Print both turns."""
    for who, text in turns():
        print(f"{who:32} {text!r}")


if __name__ == "__main__":
    main()
