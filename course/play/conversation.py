"""The small model in the page: what it's asked first, and the fragment in which a reader asks it."""

from pathlib import Path

from course.play.assets import tokens_script, weights_script
from course.play.bundle import bundle
from course.student.show.traces import drawing, section
from labkit.small_model.transformer import Checkpoint

HERE = Path(__file__).parent
PARTS = HERE / "drawings" / "conversation"

TITLE = "Try to make it write bad JSON"
INTRO = (
    "A small language model runs right here, in your browser. It answers twice with the same random numbers: freely, "
    "and under a mask, which strikes every token (a piece of text) that would break what you asked for. Tap a token, "
    "and put another in its place. The model is tiny, and beyond orders, folders and colours it talks nonsense: a mask "
    "promises you the form, never the truth."
)

ORDER = """{
  "type": "object",
  "properties": {
    "item": {"type": "string"},
    "quantity": {"type": "integer"},
    "customer": {"type": "string"},
    "city": {"type": "string"}
  },
  "required": ["item", "quantity", "customer", "city"],
  "additionalProperties": false
}"""
FOLDER = """{
  "type": "object",
  "properties": {
    "name": {"type": "string"},
    "folders": {"type": "array", "items": {"$ref": "#"}, "maxItems": 3}
  },
  "required": ["name", "folders"]
}"""
JOKE = """{
  "type": "object",
  "properties": {
    "setup": {"type": "string", "maxLength": 40},
    "funny": {"type": "boolean"}
  },
  "required": ["setup", "funny"]
}"""

_FOLDERS = "Hi! Folders: src holds test, code and build. test holds tools. JSON with name and folders. Thank you!"
EXAMPLES = [
    ("an order", "Hi! Could you send 3 chairs to Ben King in Oslo? JSON only, please.", "schema", ORDER, 0, "final"),
    ("a colour", "Which colour is violet?", "pattern", "#[0-9a-f]{6}", 2, "early"),
    ("folders in folders", _FOLDERS, "schema", FOLDER, 2, "final"),
    ("asked sternly", "Return only JSON. No other words. 3 chairs for Ben King in Oslo.", "schema", ORDER, 0, "final"),
    ("yes or no", "Is the sky blue?", "pattern", "yes|no", 0, "final"),
    ("a joke", "Tell me a joke about cats", "schema", JOKE, 1, "final"),
]
"""What to try first: name, prompt, kind, source, seed and checkpoint. The first one is asked without a tap."""

CHECKPOINTS: tuple[Checkpoint, ...] = ("final", "early")


def fragment() -> str:
    """Return the part of a page in which a reader asks the model.

    It loads the scripts of ``scripts`` when it needs them, from beside the page, unless the page has them.

    >>> fragment()[:45]
    '<section class="mtl" data-kind="conversation"'
    """
    fields = ("prompt", "kind", "source", "seed", "checkpoint")
    examples = [{"name": name, "asked": dict(zip(fields, asked, strict=True))} for name, *asked in EXAMPLES]
    held = section("conversation", {"intro": INTRO, "examples": examples}, TITLE)
    style = (PARTS / "conversation.css").read_text(encoding="utf-8")
    code = tokens_script() + bundle([HERE / "drawings" / "load.js", PARTS / "play.js"])
    return f"{held}<style>{style}</style>\n" + drawing(more=code)


def scripts() -> dict[str, str]:
    """Return what the page loads when it needs it, by the names of files: the weights, and Graphviz."""
    weights = {f"weights_{checkpoint}.js": weights_script(checkpoint) for checkpoint in CHECKPOINTS}
    return weights | {"vendor/viz.js": (HERE / "vendor" / "viz.js").read_text(encoding="utf-8")}


def whole() -> str:
    """Return the fragment after all that it needs: one file that works without a network, and can be sent around."""
    held = (f'<script data-file="{name}">{code}</script>\n' for name, code in scripts().items())
    return "".join(held) + fragment()
