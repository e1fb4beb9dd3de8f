"""What a reader drives in the page itself: chains, rules and joined automata as plain tables, and measured runs."""

import json
import math
from string import ascii_letters, digits
from typing import Any

import numpy as np

from course.student.core.catalog import ROOT
from course.student.show.traces import automaton_of
from labkit.automata.dfa import DEAD, Dfa
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_11_tool_calls.given.formats import format_named
from labs.lab_11_tool_calls.given.joining import Joined
from labs.lab_11_tool_calls.given.tools import Tool
from labs.lab_11_tool_calls.solution import join, tool_automaton
from labs.lab_12_pushdown.given.gbnf import read_gbnf
from labs.lab_12_pushdown.scene import GRAMMAR as BRACKETS
from labs.lab_12_pushdown.solution import Rules
from labs.lab_13_fair_sampling.given.markov import END, EOS, NO, WORDS, YES, Chain
from labs.lab_13_fair_sampling.solution import joint_chain

ONE_OF_TWO = """root ::= x | y
x ::= "a" root "x" | "c"
y ::= "a" root "y" | "d\""""
"""The grammar of lab 12's first picture: an ``a`` opens one of two, and only its end says which."""

TYPICAL = (0.25, 0.4)
"""The share of saved passes that one page calls typical, with 1.5 to 2 times the speed: see lab 10."""


_CALL_TOKENS = (
    *("<", "tool", "_call", ">{", ">", '{"name": "', "now", "weather", '", "arguments": {', '"city": "'),
    *("Rome", "Paris", '"', "}}", "</tool_call>", " Done."),
)


def hours(unfit: float = 0.6) -> Chain:
    """Return the chain of a model that writes hours of the day, under ``1[0-9]|2[0-3]``.

    Args:
        unfit: how often the model continues a 2 with 4 to 9.
    """
    tens = {digit: (digit, math.log(0.5)) for digit in (1, 2)}
    after_one = {digit: (3, math.log(0.1)) for digit in range(10)}
    after_two = {digit: (3, math.log((1 - unfit) / 4)) for digit in range(4)}
    return [tens, after_one, after_two, {10: (END, 0.0)}]


def fair_models() -> dict[str, Any]:
    """Return lab 13's model of two words, and one of the hours of a day, as chains of what the masks allow."""
    words = joint_chain(WORDS, EOS, ({NO: 1, YES: 1}, {}), {1})
    models = [
        ("no or yes", "no|yes", 2, "after yes, the model goes on with terday", 0.75, words, {NO: "no", YES: "yes"}),
        ("hours", "1[0-9]|2[0-3]", 2, "after 2, the model wants 4 to 9", 0.6, hours(), {n: str(n) for n in range(10)}),
    ]
    return {
        "models": [
            {
                "name": name,
                "mask": mask,
                "bent": bent,
                "asks": asks,
                "share": share,
                "rows": [
                    [[names.get(token, ""), target, round(math.exp(log), 12)] for token, (target, log) in row.items()]
                    for row in chain
                ],
            }
            for name, mask, bent, asks, share, chain, names in models
        ]
    }


def one_draft() -> dict[str, Any]:
    """Return lab 14's prediction: the target's yes, the drafter's yes among yes and no, its maybe, and a length."""
    return {"target": 0.5, "drafter": 2 / 3, "illegal": 0.25, "length": 4}


def speeds() -> dict[str, Any]:
    """Return lab 10's measured runs: the share of tokens without a pass, what such a token costs, and the speed."""
    points = json.loads((ROOT / "labs/lab_10_jump_forward/given/points.json").read_text(encoding="utf-8"))
    runs = []
    for point in points:
        share = 1 - point["passes"] / point["tokens"]
        cost = point["cost_ratio"] if share else 0.0  # where nothing was forced, nothing was measured
        runs.append({"name": point["name"], "policy": point["policy"], "share": share, "cost": cost})
        runs[-1]["ratio"] = point["ratio"]
    return {"runs": sorted(runs, key=lambda run: run["share"]), "claim": list(TYPICAL)}


def stack_grammars() -> dict[str, Any]:
    """Return the rules of grammars as lab 12's ``Rules`` has them, for characters of one byte."""
    named = [
        ("an a opens x or y", ONE_OF_TWO, "acdxy", "aaa"),
        ("brackets", BRACKETS, "[]{}()", "[{("),
    ]
    grammars = []
    for name, text, chars, start in named:
        rules = Rules(read_gbnf(text))
        states = range(len(rules.characters))
        step = {s: {c: to for c in chars if (to := rules.step(s, ord(c))) != DEAD} for s in states}
        reads = {}
        for state in states:
            there = [c for each in rules.unread(state) for c in step[each]]
            called = [rules.names[rule] for each in rules.unread(state) for rule, _ in rules.calls.get(each, ())]
            reads[state] = "".join(there) if there else " | ".join(called) or "end"
        grammars.append(
            {
                "name": name,
                "rules": text,
                "chars": chars,
                "start": start,
                "initial": rules.initial,
                "order": rules.order,
                "step": {state: row for state, row in step.items() if row},
                "calls": {state: row for state, row in rules.calls.items() if state in states},
                "unread": [rules.unread(state) for state in states],
                "ends": sorted(rules.ends),
                "last": [state for state in states if rules.is_last(state)],
                "reads": reads,
            }
        )
    return {"grammars": grammars}


def call_formats() -> dict[str, Any]:
    """Return lab 11's joined automata: the README's small one, drawn, and a real model's format."""
    small = join({"<a>": (compile_dfa("[0-9]+;"), 0)})
    city = {"type": "object", "properties": {"city": {"enum": ["Rome", "Oslo"]}}, "required": ["city"]}
    tools = [Tool("now"), Tool("weather", city)]
    hermes = tool_automaton(format_named("hermes"), tools)
    drawn, numbers = _reached(small.dfa)
    return {
        "formats": [
            _format(
                "a trigger <a>",
                small,
                ["The trigger is ", "<a>", ", and a call is ", "[0-9]+;", ", as in the picture above."],
                ["<", "a", ">", "7", ";", "<a>b", "<a>7", "7;<a", ";x", "<<a"],
                "so <a",
            )
            | {"automaton": automaton_of(drawn), "numbers": numbers},
            _format(
                "Hermes",
                hermes,
                ["Two tools: ", "now()", " and ", "weather(city)", ", with ", "Rome", " and ", "Oslo", "."],
                [*_CALL_TOKENS],
                "Sure. <tool_call",
            )
            | {"automaton": None},
        ]
    }


def kernel_words() -> dict[str, Any]:
    """Return two rows to paint, the first one from lab 15's README, for logits padded to 128 columns."""
    names = [*map(repr, digits + ascii_letters + "+-.,:_ "), "EOS"]
    rows = [[int(i in allowed) for i in range(len(names))] for allowed in ({2, 5, 6, 31, 32, 33, 69}, {*range(10), 64})]
    return {"names": names, "rows": rows, "block": 64, "columns": 128}


def _format(name: str, joined: Joined, about: list[str], tokens: list[str], start: str) -> dict[str, Any]:
    """Return a joined automaton as tables, with tokens to append and the text to start from."""
    dfa = joined.dfa
    return {
        "name": name,
        "about": about,
        "bounds": np.asarray(dfa.bounds).tolist(),
        "classes": np.asarray(dfa.classes).tolist(),
        "rows": dfa.transitions.tolist(),
        "initial": int(dfa.initial),
        "accepting": np.flatnonzero(dfa.accepting).tolist(),
        "held": list(map(int, joined.held)),
        "tokens": tokens,
        "start": start,
    }


def _reached(dfa: Dfa) -> tuple[Dfa, list[int]]:
    """Return the automaton without states that no text reaches, and the number of each state in it, or -1."""
    reached = [int(dfa.initial)]
    for state in reached:  # the list grows meanwhile
        reached += sorted(set(dfa.transitions[state].tolist()) - {DEAD, *reached})
    numbers = {state: number for number, state in enumerate(sorted(reached))}
    rows = [[numbers.get(target, DEAD) for target in dfa.transitions[state].tolist()] for state in sorted(reached)]
    drawn = Dfa(dfa.bounds, dfa.classes, rows, numbers[int(dfa.initial)], dfa.accepting[sorted(reached)])
    return drawn, [numbers.get(state, DEAD) for state in range(len(dfa))]
