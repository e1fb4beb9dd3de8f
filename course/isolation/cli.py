"""What this room adds to the commands of the course: the doctor's finding about sandboxes."""

import platform
from collections.abc import Iterator

import typer

from course.student.commands.doctor import Check
from course.student.core.catalog import ROOT
from course.student.setup import missing_packages

app = typer.Typer()

_ADVICE = "Needed only to grade other people's code: install bubblewrap."


def findings() -> Iterator[Check]:
    """Yield what could hold untrusted submissions on this machine."""
    if (system := platform.system()) != "Linux":
        yield Check("sandbox", "optional", f"none known on {system}", "Grade other people's code on Linux.")
    elif missing_packages(ROOT, "base"):
        yield Check("sandbox", "optional", "not tried before the labs' packages are there", _ADVICE)
    else:
        from course.isolation.sandbox import backends

        offered = backends()
        found = next((backend.describe() for backend in offered if not backend.why_not), "")
        reasons = "; ".join(f"{backend.name}: {backend.why_not}" for backend in offered)
        yield Check("sandbox", "ok", found) if found else Check("sandbox", "optional", reasons, _ADVICE)
