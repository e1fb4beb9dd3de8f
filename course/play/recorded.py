"""Runs of the labs' references, recorded as traces."""

from dataclasses import fields
from functools import cached_property
from random import Random
from typing import Any

from course.student.core.catalog import find_lab
from course.student.core.submission import Loader
from course.student.show import scene_of
from course.student.show.frames import ScreenFrame, Show, StudentFile
from course.student.show.traces import token_name, trace
from labkit.models import Model
from labkit.scenes import Scene
from labkit.scenes.prompted import small_model
from labkit.small_model.tasks.forms import TextForm
from labkit.small_model.tasks.judging import judge
from labkit.small_model.tasks.strings import HEX_COLOUR, ISO_DATE, colour, date
from labkit.small_model.tokenizer import Tokenizer

_COLOURS, _DATES = 12, 8
_LEFT_OUT = ("bytes", "packed", "u", "following", "printed", "differs", "state", "remark")
"""What lab 01 has no words for yet, or no room."""


class Early(Scene):
    """A scene whose small model is the checkpoint of early in the training."""

    @cached_property
    def model(self) -> Model:
        """The early checkpoint after the prompt."""
        start, model = Tokenizer.load().prompt(self.prompt), small_model("early")
        return lambda ids: model.forward([[*start, *ids]], model.new_cache())[0]


def frames_of(number: int, scene: Scene) -> list[ScreenFrame]:
    """Return the frames of a lab's reference in a scene."""
    lab = find_lab(number)
    return list(Show(scene, StudentFile(lab, Loader({number: lab.solution}))).frames())


def twenty_runs() -> dict[str, Any]:
    """Return prompts answered by the real model, early in its training: free, and under lab 06's mask."""
    rng = Random(21)
    examples = [(colour(rng), HEX_COLOUR) for _ in range(_COLOURS)] + [(date(rng), ISO_DATE) for _ in range(_DATES)]
    base = scene_of(find_lab(6), model_name="small", max_tokens=16)
    runs, automata = [], dict[str, Any]()
    for seed, (example, pattern) in enumerate(examples):
        changed: dict[str, Any] = {"grammar": pattern, "prompt": example.prompt, "seed": seed}
        scene = Early(**{each.name: getattr(base, each.name) for each in fields(Scene)} | changed)
        run = _lean(trace(scene, "lab 06", "the reference", frames_of(6, scene)))
        automata[pattern] = run.pop("automaton")
        valid = judge(TextForm(pattern), scene.free_text).valid
        runs.append(
            {
                "title": example.prompt,
                "free": [token_name(scene.vocabulary, i) for i in scene.free_ids],
                "note": "a match" if valid else "no match",
                "trace": run,
            }
        )
    return {"runs": sorted(runs, key=lambda run: run["note"] == "a match"), "automata": automata}


def _lean(run: dict[str, Any]) -> dict[str, Any]:
    """Return a trace without what the page does not draw."""
    for step in run["steps"]:
        for name in _LEFT_OUT:
            del step[name]
        if step["mask"]:
            step["mask"]["share"] = round(step["mask"]["share"], 4)
            del step["mask"]["words"]
        step["tokens"] = [
            {name: round(value, 4) if isinstance(value, float) else value for name, value in row.items()}
            for row in step["tokens"]
        ]
    return run
