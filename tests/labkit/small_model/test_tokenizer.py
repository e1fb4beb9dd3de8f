"""The small model's tokenizer: every text comes back exactly, and some tokens straddle JSON's punctuation."""

import json

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from labkit.checking.properties import PROPERTY
from labkit.small_model.config import CONFIG
from labkit.small_model.tokenizer import SPECIAL, Tokenizer
from labkit.vocabulary import Vocabulary

TOKENIZER = Tokenizer.load()


@PROPERTY
@given(st.text() | st.text(alphabet='{}[]":, \n\\aé0', max_size=40))
def test_every_text_comes_back(text):
    ids = TOKENIZER.encode(text)
    assert TOKENIZER.decode(ids) == text
    assert b"".join(TOKENIZER.vocabulary.token_bytes[i] for i in ids) == text.encode()


def test_the_vocabulary_has_the_model_s_size_and_no_token_twice():
    vocabulary = TOKENIZER.vocabulary
    straddling = {b'{"', b'": "', b'"}', b', "', b'", "', b'": ', b"}]", b">\n", b"\n</"}
    assert straddling <= {*vocabulary.token_bytes}
    assert len(vocabulary) == CONFIG.vocab_size == len(set(vocabulary.token_bytes))
    assert vocabulary is Vocabulary.small() and vocabulary.eos_id == TOKENIZER.special_ids["<|end|>"]
    assert all(vocabulary.token_bytes[i] == bytes([i]) for i in range(256))


def test_prompt_and_answer_are_framed_by_special_tokens():
    user, assistant, called = (TOKENIZER.special_ids[name] for name in SPECIAL[1:])
    assert TOKENIZER.prompt("Hi") == [user, *TOKENIZER.encode("Hi"), assistant]
    before, after = TOKENIZER.encode("Well. "), TOKENIZER.encode(" []")
    assert TOKENIZER.answer("Well. [TOOL_CALLS] []") == [*before, called, *after, TOKENIZER.eos_id]
    assert TOKENIZER.decode([called, 65], special=True) == "[TOOL_CALLS]A" and TOKENIZER.decode([called, 65]) == "A"


@pytest.mark.parametrize("text", [" " * 100_000, "a" * 100_000, '"' * 100_000, "1" * 100_001, " \n" * 50_000])
def test_long_runs_of_one_character(text):
    assert TOKENIZER.decode(TOKENIZER.encode(text)) == text


@pytest.mark.parametrize("content", ["[1, 2]", '[""]', '{"a": 1}', '["\\u0100"]', "[", "null"])
def test_a_file_that_is_no_list_of_tokens_or_missing(content, tmp_path):
    path = tmp_path / "tokens.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=regex.escape(str(path))):
        Tokenizer.load(path)
    with pytest.raises(ValueError, match=r"missing: .*none\.json"):
        Tokenizer.load(tmp_path / "none.json")
    path.write_text(json.dumps(["ab"]), encoding="utf-8")
    assert Tokenizer.load(path).encode("aba") == [256, 97] and len(Tokenizer.load(path).vocabulary) == 261
