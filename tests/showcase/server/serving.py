"""The small model with lab 09's part: ``python -m tests.showcase.server.serving PORT GRACE PAUSE``."""

import sys
import time

from course.showcase.explain.report import explained
from course.showcase.server.app import Service
from course.showcase.server.formats import ToolCalls
from course.showcase.serving import Server, make_engine
from course.student.core.rooms import console
from labkit.small_model.transformer import SmallModel
from labs.lab_09_inside_an_engine.given.workers import at_once


class Paused(SmallModel):
    """The small model, which waits before each pass."""

    pause = 0.0

    def forward(self, *arguments, **options):
        time.sleep(self.pause)
        return super().forward(*arguments, **options)


def make(
    port=0,
    grace=5.0,
    pause=0.0,
    body_seconds=10.0,
    head_seconds=10.0,
    model=None,
    calls="hermes",
    masked=True,
    allowed_hosts=(),
    explain=lambda *asked: at_once(lambda: explained(*asked)),
    **options,
):
    if model is None:
        model = Paused.load()
        model.pause = pause
    engine = make_engine(model, tool_calls=calls if masked else None, **options)
    tools = ToolCalls(engine.vocabulary, calls, engine.structured_outputs if masked else None) if calls else None
    service = Service(engine, body_seconds=body_seconds, tool_calls=tools, explain=explain, allowed_hosts=allowed_hosts)
    return Server(service, console(), "127.0.0.1", port, grace, head_seconds)


if __name__ == "__main__":
    make(int(sys.argv[1]), *map(float, sys.argv[2:])).run()
