"""The small model with lab 09's part, or the stand-in: ``python -m tests.showcase.server.serving PORT GRACE PAUSE``."""

import sys
import time

from course.showcase.server.app import Service
from course.showcase.server.run import Server, make_engine
from course.student.core.rooms import console
from labkit.engine import Engine
from labkit.small_model.transformer import SmallModel
from labkit.vocabulary import Vocabulary
from labs import assembled
from tests.showcase.server import StandIn


class Paused(SmallModel):
    """The small model, which waits before each pass."""

    pause = 0.0

    def forward(self, *arguments, **options):
        time.sleep(self.pause)
        return super().forward(*arguments, **options)


def make(port=0, grace=5.0, pause=0.0, **options):
    vocabulary, model = Vocabulary.small(), Paused.load()
    model.pause = pause
    if hasattr(assembled, "structured_outputs"):
        engine = make_engine(model, **options)
    else:
        engine = Engine(model, vocabulary, StandIn(vocabulary), **options)
    return Server(Service(engine), console(), "127.0.0.1", port, grace)


if __name__ == "__main__":
    make(int(sys.argv[1]), *map(float, sys.argv[2:])).run()
