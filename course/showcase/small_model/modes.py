"""The ways in which the small model is asked. A file of its own: the demo of a copy without labs shows them too."""

MODES = ("free", "mask", "budget")
"""Without a mask; with one; with one that keeps enough tokens to finish (lab 05)."""

NAMES = {"free": "no mask", "mask": "mask", "budget": "mask with budget"}
"""What the modes are called on the screen."""

RAN_OUT = "out of tokens"
"""Why an answer is not valid that its judge never saw the end of."""
