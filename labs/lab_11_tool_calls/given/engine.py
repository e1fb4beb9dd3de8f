"""What lab 09 gives, for the student's file: guides, workers, and an engine on a function."""

from labs.lab_09_inside_an_engine.given.guides import Guide, GuideOfFunctions
from labs.lab_09_inside_an_engine.given.workers import Submit, Worker, at_once

__all__ = ["Guide", "GuideOfFunctions", "Submit", "Worker", "at_once"]
