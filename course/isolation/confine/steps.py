"""The order in which a process gives up its rights: ``main`` ends as the untrusted program, or with a message."""

import ctypes
import json
import os
import signal
import sys
from dataclasses import asdict, dataclass

from course.isolation.confine import kernel, landlock, own_root, seccomp

FAILED = 70  # the exit status of a process that could not be confined, and so did not become the program
SAYS = "sandbox: "  # the start of its message


@dataclass(frozen=True)
class Plan:
    """What is to be done to a process before it becomes the untrusted program. It travels on a command line."""

    argv: tuple[str, ...]
    environment: dict[str, str]
    readable: tuple[str, ...]  # paths of files and folders
    scratch: str  # the working directory
    limits: dict[str, int]  # by the names of ``course.isolation.sandbox.Limits``
    own_root: bool = False  # whether to make namespaces, and a private root file system in them
    own_user_namespace: bool = False  # whether that takes a user namespace; root may do without
    writes: bool = False  # whether ``scratch`` becomes a private file system, to which it may write
    landlock: bool = True
    uid: int | None = None  # the user and group to become; None for the present ones
    info_fd: int = 0  # where the number of the namespace's first process is written; 0 for nowhere

    def dumps(self) -> str:
        """Return the plan as JSON, which ``main`` reads."""
        return json.dumps(asdict(self))


def main(text: str) -> None:
    """Do what a plan says, and become its program. Nothing is run if any step fails."""
    try:
        _confine(Plan(**json.loads(text)))
    except OSError as error:
        print(f"{SAYS}{error.strerror or error}", file=sys.stderr, flush=True)
    os._exit(FAILED)


def _confine(plan: Plan) -> None:
    for first, last in ((3, plan.info_fd), (max(plan.info_fd + 1, 3), 4096)):
        os.closerange(first, last)
    _die_with_parent()
    if plan.own_root:
        own_root.enter(plan.readable, plan.scratch, own_user_namespace=plan.own_user_namespace)
        kernel.prctl(kernel.PR_SET_DUMPABLE, 0)  # not before: its own files in /proc would be root's
        child = _fork()
        if plan.info_fd and child:  # as bubblewrap does
            os.write(plan.info_fd, json.dumps({"child-pid": child}).encode())
        if plan.info_fd:
            os.close(plan.info_fd)
        _end_like(child)
        _end_like(_fork())  # the first child is process 1 of the namespace, and nothing else
    if plan.writes:
        own_root.mount_scratch(plan.scratch, plan.limits["file_bytes"], plan.uid)
    _give_up(plan)
    os.execve(plan.argv[0], plan.argv, plan.environment)


def _die_with_parent() -> None:
    """Be killed when the process that started this one ends (strictly: the thread)."""
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)


def _fork() -> int:
    child = os.fork()
    if not child:
        _die_with_parent()
    return child


def _end_like(child: int) -> None:
    """In the parent: wait for the child and end as it ended. When this process is killed, so is the child."""
    if not child:
        return
    for fd in (0, 1):  # otherwise the other end of the pipe never sees that the program has closed its own
        os.close(fd)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os._exit(status if status >= 0 else 128 - status)


def _give_up(plan: Plan) -> None:
    """Set limits, user, capabilities, files, system calls, in an order in which each step is still allowed."""
    _limit(plan)
    if plan.uid is not None:
        os.setgroups([])
        os.setresgid(plan.uid, plan.uid, plan.uid)
        os.setresuid(plan.uid, plan.uid, plan.uid)
        _die_with_parent()  # a change of user forgets it
    _drop_capabilities()
    os.chdir(plan.scratch if plan.writes else "/")
    if plan.landlock:
        landlock.restrict(plan.readable, ["/dev/null", *([plan.scratch] if plan.writes else [])])
    seccomp.install(plan.limits["processes"])


def _limit(plan: Plan) -> None:
    import resource  # missing on some systems, where this file must still be importable

    limits = {
        "CPU": plan.limits["cpu_s"],
        "AS": plan.limits["memory_bytes"],
        "NOFILE": plan.limits["files"],
        "FSIZE": plan.limits["file_bytes"],
        "CORE": 0,
        "MEMLOCK": 0,
        "MSGQUEUE": 0,
        "SIGPENDING": 64,
    }
    if plan.uid is not None and plan.limits["processes"] > 1:  # the filter holds a single one
        limits["NPROC"] = plan.limits["processes"]
    for name, most in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is not None:
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
