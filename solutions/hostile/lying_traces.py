"""Says that its errors passed through lines, labs and TODOs whose numbers are none, or have a million digits."""
# lab: 01, todo: 3

from course.isolation.pipe import faults

FRAMES = [(1, "a", 10**6000, "f", "g"), (10**6000, "a", 1, "f", "g"), (1, "a\0b", -1, "f", "g"), (1, "a", 1, "f", "g")]
TEXTS = ["lab 01, TODO " + "9" * 6000, "lab 77, TODO 88: x", "lab 01, TODO 88: x"]
PLAIN = faults.Ledger.describe


def describe(self, error, **options):
    owner, number, _, details = PLAIN(self, error, **options)
    return owner, number, ((FRAMES[-1],), True), details


faults.Ledger.describe = describe


def attack(*args, **kwargs):
    FRAMES.append(FRAMES.pop(0))
    TEXTS.append(TEXTS.pop(0))
    raise NotImplementedError(TEXTS[-1])
