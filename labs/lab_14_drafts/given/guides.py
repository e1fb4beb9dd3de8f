"""What lab 09 gives of guides, for the student's file."""

from labs.lab_09_inside_an_engine.given.guides import Guide, GuideOfFunctions, allowed

__all__ = ["Guide", "GuideOfFunctions", "allowed"]
