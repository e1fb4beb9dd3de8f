"""Running untrusted code so that it harms nothing and sees nothing.

``choose()`` gives the stronger of two ways that this machine offers. ``Sandbox`` starts the pipe's worker in it:

    sandbox = Sandbox(choose(), Limits())
    with PipedLab(lab, {lab.number: file}, sandbox=sandbox) as functions: ...
"""

from course.isolation.sandbox.process import ConfinedProcess, Limits
from course.isolation.sandbox.stage import Sandbox
from course.isolation.sandbox.ways import Backend, NoSandbox, available, backends, choose

__all__ = ["Backend", "ConfinedProcess", "Limits", "NoSandbox", "Sandbox", "available", "backends", "choose"]
