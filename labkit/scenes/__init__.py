"""The parts of a lab's ``scene.py``: the scene itself, how a step is made, and an oracle that knows what is right."""

from labkit.scenes.automata import follow
from labkit.scenes.oracles import ByteOracle, CharacterOracle, NoOracle, Oracle, check_expression
from labkit.scenes.scene import Scene, has_reference
from labkit.scenes.steps import DfaSteps, FsmSteps, Mask, PreparedSteps, Steps, Walked
from labkit.scenes.texts import Written, raw_bytes, whole_text, written
from labkit.scenes.vocabularies import BYTE_VOCABULARY, VOCABULARY
from labkit.scenes.work import CountedByteDfa, CountedFsm

__all__ = [
    "BYTE_VOCABULARY",
    "VOCABULARY",
    "ByteOracle",
    "CharacterOracle",
    "CountedByteDfa",
    "CountedFsm",
    "DfaSteps",
    "FsmSteps",
    "Mask",
    "NoOracle",
    "Oracle",
    "PreparedSteps",
    "Scene",
    "Steps",
    "Walked",
    "Written",
    "check_expression",
    "follow",
    "has_reference",
    "raw_bytes",
    "whole_text",
    "written",
]
