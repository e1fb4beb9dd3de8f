"""What the reader may type: a pattern or a schema, and a text. Scripts of this folder compile them in the page."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from course.play.bundle import bundle
from labkit.vocabulary import Vocabulary

INPUT = Path(__file__).with_name("drawings") / "input.js"
"""What draws the fields; it imports the compiler."""

TOKENS = 4096
"""How many tokens the page has: the most frequent ones, which come first."""


@cache
def typed_script() -> str:
    """Return the scripts as one, with the first tokens of Tekken: texts, and bytes where they are no text.

    A page from the disk may load a script, but no data.
    """
    vocabulary = Vocabulary.tekken()
    texts = vocabulary.texts()
    ids = [i for i in range(len(vocabulary)) if i not in vocabulary.special_ids][:TOKENS]
    tokens = [list(vocabulary.token_bytes[i]) if texts[i] is None else texts[i] for i in ids]
    return (
        f"var mtlTyped = (() => {{\n{bundle([INPUT])}return section;\n}})();\n"
        "// The tokens of Mistral's Tekken, from the package mistral-common (Apache License 2.0).\n"
        f"mtlTyped.tokens = {json.dumps(tokens, ensure_ascii=False, separators=(',', ':'))};\n"
    )


def _schema(**properties: Any) -> str:
    inner = ",\n".join(f"    {json.dumps(key)}: {json.dumps(child)}" for key, child in properties.items())
    required = json.dumps(list(properties)[:1])
    return f'{{\n  "type": "object",\n  "properties": {{\n{inner}\n  }},\n  "required": {required}\n}}'


TRIE = {
    "intro": "Your words are in a trie, and the walk starts in the state that you choose. Each look-up asks "
    "the automaton about one character. Where it has no transition, everything below is dead, and nobody looks there: "
    "move the slider back to see it happen. Then try words that share long prefixes, and words that share none.",
    "examples": [
        ["([0-9]+)?\\.[0-9]+", ". .2 .21 1 1. 12 123 a ab abc 1a 3. .a", 0],
        ["(in|an|the)+", "in inn into an and ant the then thing a i th in,the", 0],
        ["0x[0-9a-f]+", "0 1 2 0x 0xg x x1 1f ff 42 2024 the them there", 0],
    ],
}
"""What to try first in lab 03's trie, and the examples: a pattern, words, and a state to start from."""

_HOURS = "50 1 [0-9]\n20 2 [0-3]\n30 2 [4-9]"
FAIR = {
    "intro": "The model is a list of texts with weights, and the mask is a pattern. Both are yours. At each step, "
    "masking asks only which tokens are legal; being fair asks where they lead. What happens to each of the two if the "
    "model wants `yesterday` more often? Can you write a model for which masking is fair?",
    "examples": [
        ["no or yes", "no|yes", "4 no\n1 yes\n3 yes terday"],
        ["hours", "1[0-9]|2[0-3]", _HOURS],
        ["nearly always wrong", "no|yes", "5 no\n1 yes\n94 yes terday"],
        ["fair", "[0-9]{2}", "10 1 [0-9]\n10 2 [0-9]\n5 1\n5 2"],
    ],
}
"""What to try first in lab 13, and the examples: a mask, and a model."""

ENDING: dict[int, dict[str, Any]] = {
    4: {
        "intro": "Here the text may end: EOS is legal. Take `.2` back, and it's struck. Where else does the mask let "
        "the model stop? This one wants EOS before everything else, and then your tokens from the last to the first. "
        "Write `.` and let it go on. Then give it other tokens, or another pattern.",
        "examples": [
            ["([0-9]+)?\\.[0-9]+", "a . .2 1", 16, ["1", ".2"]],
            ["yes|no|yesterday", "yes no ye s terday", 16, ["yes"]],
        ],
    },
    5: {
        "intro": "Two of five tokens are left, and whatever comes next has to leave room for EOS. Let the model write, "
        "under both masks: it wants the last of your tokens most, and EOS least. Then go back with undo, change the "
        "limit, and see which tokens disappear. What happens to the distances if you take `.2` out of the list?",
        "examples": [
            ["[0-9]+\\.[0-9]+", "a . .2 1", 5, ["1", "1", "1"]],
            ["a[bc]d", "ab a cd", 6, []],
            ['\\{"n":\\[([0-9](,[0-9])*)?\\]\\}', '{" n ": [ 7 ] } ]} ,7 ,', 10, ['{"', "n", '":', "["]],
        ],
    },
}
"""What to try first in labs 04 and 05, and the examples: a pattern, tokens, a limit, and what is written."""

TYPED: dict[int, dict[str, Any]] = {
    1: {
        "intro": "Type a pattern, and then a text. For every token the page asks this lab's question: if it came next, "
        "could the text still become a match? Add a dot, and then digits. How much has to be read for each mask?",
        "examples": [["([0-9]+)?\\.[0-9]+", "1"], ["#[0-9a-f]{6}", "#ff"], ["(yes|no), (yes|no)", "y"]],
    },
    2: {
        "intro": "Type `x` and then a digit into the text, and watch the state. Then change the pattern to "
        "`[0-9]+[0-4]`. Can you say why it's refused before you read the answer?",
        "examples": [["0x[0-9a-f]+", "0"], ["[A-Z]+-[0-9]+\\.", "AB-"], ["[0-9]+[0-4]", ""]],
    },
    3: {
        "intro": "Tap a token and follow its walk through the states; tap a refused one, and see where it dies. Then "
        "look at the table. It has a row for each state, and every mask from here on is one of these rows.",
        "examples": [["([0-9]+)?\\.[0-9]+", "1"], ["(in|an|the)+", "in"], ["[a-z]+( [a-z]+)*", "to"]],
    },
    6: {
        "intro": "Type some a's and b's, and look at the same text in the NFA, in the DFA, and in the minimal one. "
        "Then change the 2 in the pattern to 3, to 6, to 20. What happens to the number of states?",
        "examples": [["(a|b)*a(a|b){2}", "ab"], ["\\d+(\\.\\d+)?", "1"], ["yes|no|yesterday", "yes"]],
    },
    7: {
        "intro": "Tap the token `C3`: it's half of an é, and the automaton is in a state within the character. "
        "Which tokens can complete it? Then try a pattern in your own script.",
        "examples": [["caf[éè]", "caf"], ["[д-я]+", "д"], ['[^"]*', "日本"]],
    },
    8: {
        "intro": "Let the tokens lead you through the object, or empty the text and begin with `{`. Then take `name` "
        "out of `required`, or add a member of your own: where may the first comma come now? The third schema contains "
        "itself; watch which rules are open. The page reads what the course's own engine reads, `additionalProperties` "
        "and `$ref` among it, in its reading for a form. What it can't do, it refuses and says where. (White space is "
        "left out: the compact policy.)",
        "examples": [
            [
                _schema(name={"type": "string"}, age={"type": "integer"}, tags={"enum": ["new", "old"]}),
                '{"name":"Ada",',
            ],
            [_schema(point={"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}), '{"point":['],
            [
                _schema(name={"type": "string"}, folders={"type": "array", "items": {"$ref": "#"}}),
                '{"name":"a","folders":[{',
            ],
        ],
    },
}
"""For each lab what to try first, and the examples: a pattern or schema, and a text."""
