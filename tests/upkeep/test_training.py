"""How the small model was trained: the batches, and a few steps of the real training."""

import json
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from course.upkeep.training.corpus import PROMPT_WEIGHT, batches, pairs
from labkit.small_model.config import ModelConfig
from labkit.small_model.tasks import CORPUS, examples
from labkit.small_model.tokenizer import SPECIAL, Tokenizer
from labkit.small_model.transformer import SmallModel
from tests.bridges.extras import needs_torch

TOKENIZER = Tokenizer.load()
END, USER, ASSISTANT, _ = (TOKENIZER.special_ids[name] for name in SPECIAL)


def test_a_row_is_examples_end_to_end_and_answers_weigh_more_than_prompts():
    ids, weights = next(batches(3, 2, 200, TOKENIZER))
    assert ids.shape == (2, 201) and weights.shape == (2, 200)
    assert ids.dtype == np.int64 and weights.dtype == np.float32
    first = next(examples(3, CORPUS))
    text = TOKENIZER.prompt(first.prompt) + TOKENIZER.answer(first.answer)
    assert ids[0, : len(text)].tolist() == text and ids[0, len(text)] == USER == ids[1, 0]
    prompt = len(TOKENIZER.prompt(first.prompt))
    assert set(weights[0, : prompt - 1].tolist()) == {np.float32(PROMPT_WEIGHT)}
    assert set(weights[0, prompt - 1 : len(text) - 1].tolist()) == {1.0}
    assert ids[0, prompt - 1] == ASSISTANT and ids[0, len(text) - 1] == END


def test_the_same_seed_gives_the_same_batches():
    first, second = (list(islice(batches(5, 3, 64, TOKENIZER), 2)) for _ in range(2))
    np.testing.assert_equal(first, second)


def test_a_turn_of_a_dialogue_is_prompted_as_the_server_does_it():
    """What the model reads ends with the begin of a thought, and what it writes has the end of one, and EOS."""
    begun = [ASSISTANT, *TOKENIZER.encode("<think>")]
    for prompt, answer in islice(pairs(3, TOKENIZER, 1.0), 50):
        assert prompt[0] == USER and prompt[-len(begun) :] == begun and answer[-1] == END
        assert TOKENIZER.decode(prompt).startswith("Tools:\n") and TOKENIZER.decode(answer).count("</think>") == 1
    mixed = [TOKENIZER.decode(answer) for _, answer in islice(pairs(3, TOKENIZER, 0.85), 400)]
    assert 300 < sum("</think>" in answer for answer in mixed) < 380


@pytest.fixture(scope="module")
def small_batches():
    """Batches of an eighth of the rows, on one thread: two would wait for each other."""
    import torch

    from course.upkeep.training import train

    torch.set_num_threads(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(train, "ROWS", train.ROWS // 8)
        patch.setattr(train, "LONG_ROWS", train.LONG_ROWS // 8)
        yield


@pytest.fixture(scope="module")
def trained(tmp_path_factory, small_batches):
    """Twelve steps with a small model, by the functions of the real training."""
    from course.upkeep.training.train import Recipe, train

    folder, losses = tmp_path_factory.mktemp("training"), []
    config = ModelConfig(d_model=32, n_layers=2, n_heads=2, d_ff=64)
    train(Recipe(steps=12, early=4, seed=1, warm_up=2, config=config), folder, lambda step, loss: losses.append(loss))
    return folder, config, losses


@needs_torch
def test_the_model_that_was_trained_is_the_model_that_numpy_runs(trained):
    folder, config, _ = trained
    model, told = SmallModel.load(folder / "final.npz", config), np.load(folder / "logits_fixture.npz")
    logits = model.forward(told["ids"], model.new_cache(len(told["ids"])), every=True)
    assert np.abs(logits[:, told["places"]] - told["logits"]).max() < 1e-4


@needs_torch
def test_the_loss_falls_the_early_checkpoint_is_another_one_and_the_record_tells_the_recipe(trained):
    folder, _, losses = trained
    assert len(losses) == 12 and np.isfinite(losses).all()
    assert np.mean(losses[-3:]) < np.mean(losses[:3]) - 0.3
    early, final = (np.load(folder / name)["model.embed_tokens.weight"] for name in ("early.npz", "final.npz"))
    assert early.dtype == np.float16 and not np.array_equal(early, final)
    record = json.loads((folder / "training.json").read_text(encoding="utf-8"))
    assert record["recipe"]["seed"] == 1 and record["recipe"]["early"] == 4 and record["tokens"] > 0


@needs_torch
def test_the_same_weights_are_the_same_bytes(tmp_path):
    from course.upkeep.training.train import write_npz

    for name in ("1.npz", "2.npz"):
        write_npz(tmp_path / name, {"a": np.arange(3, dtype=np.float16)})
    assert (tmp_path / "1.npz").read_bytes() == (tmp_path / "2.npz").read_bytes()


@needs_torch
def test_the_agents_recipe_begins_with_the_final_checkpoint(tmp_path, small_batches):
    from course.upkeep.training.train import AGENT, train

    train(replace(AGENT, steps=1, warm_up=1, peak=1e-5, length=256), tmp_path, lambda step, loss: None)
    final, agent = (SmallModel.load(which) for which in ("final", tmp_path / "agent.npz"))
    logits = [model.forward([TOKENIZER.prompt("Hi")], model.new_cache()) for model in (final, agent)]
    assert 0 < np.abs(logits[0] - logits[1]).max() < 0.5
    assert sorted(path.name for path in tmp_path.iterdir()) == ["agent.json", "agent.npz"]
