"""The order in which a process gives up its rights: ``main`` ends as the untrusted program, or with a message."""

import ctypes
import json
import os
import signal
import sys
from dataclasses import asdict, dataclass

from course.isolation.confine import kernel, landlock, seccomp

FAILED = 70  # the exit status of a process that could not be confined, and so did not become the program
SAYS = "sandbox: "  # the start of its message


@dataclass(frozen=True)
class Confinement:
    """What is to be done to a process before it becomes the untrusted program. It travels on a command line."""

    argv: tuple[str, ...]
    environment: dict[str, str]
    readable: tuple[str, ...]  # paths of files and folders
    limits: dict[str, int]  # by the names of ``course.isolation.sandbox.Limits``
    scratch: str  # the one folder that it may write to, where it begins
    landlock: bool = True
    uid: int | None = None  # the user and group to become; None for the present ones, in a namespace of their own

    def dumps(self) -> str:
        """Return the plan as JSON, which ``main`` reads."""
        return json.dumps(asdict(self))


def main(text: str) -> None:
    """Do what a plan says, and become its program. Nothing is run if any step fails."""
    try:
        _confine(Confinement(**json.loads(text)))
    except OSError as error:
        print(f"{SAYS}{error.strerror or error}", file=sys.stderr, flush=True)
    os._exit(FAILED)


def _confine(plan: Confinement) -> None:
    os.closerange(3, 4096)
    _die_with_parent()
    _give_up(plan)
    os.execve(plan.argv[0], plan.argv, plan.environment)


def _die_with_parent() -> None:
    """Be killed when the process that started this one ends (strictly: the thread)."""
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)


def _give_up(plan: Confinement) -> None:
    """Set limits, user, capabilities, files, system calls, in an order in which each step is still allowed."""
    _limit(plan)
    if plan.uid is not None:
        os.setgroups([])
        os.setresgid(plan.uid, plan.uid, plan.uid)
        os.setresuid(plan.uid, plan.uid, plan.uid)
        _die_with_parent()  # a change of user forgets it
    _drop_capabilities()
    os.chdir(plan.scratch)
    if plan.landlock:
        landlock.restrict(plan.readable, plan.scratch)
    seccomp.install(plan.limits["processes"])


def _limit(plan: Confinement) -> None:
    import resource  # missing on some systems, where this file must still be importable

    limits = {
        "CPU": plan.limits["cpu_s"],
        "AS": plan.limits["memory_bytes"],
        "NOFILE": plan.limits["files"],
        "FSIZE": plan.limits["disk_bytes"],
        "NPROC": plan.limits["processes"],
        "CORE": 0,
        "MEMLOCK": 0,
        "MSGQUEUE": 0,
        "SIGPENDING": 64,
    }
    for name, most in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(kind)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (least, least))


def _drop_capabilities() -> None:
    """Give up root's capabilities, also those that running a program would bring back."""
    number = {"x86_64": 126, "aarch64": 91}[os.uname().machine]
    for capability in range(64):
        try:
            kernel.prctl(kernel.PR_CAPBSET_DROP, capability)
        except OSError:  # no such capability, or no right to drop it, and so none to use it
            continue
    version_and_pid, none = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    kernel.syscall(number, version_and_pid, none, what="dropping capabilities")
