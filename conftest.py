"""Load the pytest plugins of the course: what is graded, the ``lab`` fixture, outcomes, and the pipe where it is."""

from importlib.util import find_spec

pytest_plugins = [f"course.{name}.plugin" for name in ("student.run", "isolation") if find_spec(f"course.{name}")]
