"""Running untrusted code so that it harms nothing and sees nothing.

``choose()`` gives the strongest ``Backend`` that this machine offers. ``Sandbox`` starts the pipe's worker in one:

    sandbox = Sandbox(choose(), Limits(), slot=0)
    with PipedLab(lab, {lab.number: file}, sandbox=sandbox) as functions: ...
"""

from course.isolation.sandbox.backend import Backend, NoSandbox
from course.isolation.sandbox.kinds import ADVICE, available, backends, choose
from course.isolation.sandbox.process import Limits, Process
from course.isolation.sandbox.worker import Sandbox

__all__ = ["ADVICE", "Backend", "Limits", "NoSandbox", "Process", "Sandbox", "available", "backends", "choose"]
