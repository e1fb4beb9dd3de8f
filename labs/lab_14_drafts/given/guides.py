"""What labs 09 and 10 give, for the student's file and for the bench: guides, and languages with their prompts."""

from labs.lab_09_inside_an_engine.given.guides import Guide, GuideOfFunctions, allowed
from labs.lab_10_jump_forward.given.schemas import ALL, AskedGrammar

__all__ = ["ALL", "AskedGrammar", "Guide", "GuideOfFunctions", "allowed"]
