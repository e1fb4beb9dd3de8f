"""What this room adds to the commands of the course: the doctor's finding about sandboxes."""

from collections.abc import Iterator

import typer

from course.student.commands.doctor import Check, Machine

app = typer.Typer()

_ADVICE = "Needed only to grade other people's code: install bubblewrap."


def findings(machine: Machine) -> Iterator[Check]:
    """Yield what could hold untrusted submissions on this machine."""
    if machine.system != "Linux":
        yield Check("sandbox", "optional", f"none known on {machine.system}", "Grade other people's code on Linux.")
    elif machine.missing("base"):
        yield Check("sandbox", "optional", "not tried before the labs' packages are there", _ADVICE)
    else:
        offered = sandboxes()
        found = next((what for what, why_not in offered if not why_not), "")
        reasons = "; ".join(f"{what.partition(':')[0]}: {why_not}" for what, why_not in offered)
        yield Check("sandbox", "ok", found) if found else Check("sandbox", "optional", reasons, _ADVICE)


def sandboxes() -> list[tuple[str, str]]:
    """Return what each sandbox is, strongest first, and why this machine does not offer it, or an empty string."""
    from course.isolation.sandbox import backends

    return [(backend.describe(), backend.why_not) for backend in backends()]
