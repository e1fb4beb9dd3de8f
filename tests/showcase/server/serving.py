"""Serves the small model with the stand-in: ``python -m tests.showcase.server.serving PORT``."""

import sys

from course.showcase.server.app import Service
from course.showcase.server.run import Server
from course.student.core.rooms import console
from labkit.engine import Engine
from labkit.small_model.transformer import SmallModel
from labkit.vocabulary import Vocabulary
from tests.showcase.server import StandIn


def make(port=0, grace=5.0, **options):
    vocabulary = Vocabulary.small()
    engine = Engine(SmallModel.load(), vocabulary, StandIn(vocabulary), **options)
    return Server(Service(engine), console(), "127.0.0.1", port, grace)


if __name__ == "__main__":
    make(int(sys.argv[1])).run()
