"""Opens the repository's own tests, solutions and grader for writing."""
# lab: 01, todo: 1

import os

for name in ("labs/lab_01_naive_matching/test_lab.py", "labs/lab_01_naive_matching/solution.py", "course/grade.py"):
    try:
        os.close(os.open(os.path.join("@repository@", name), os.O_WRONLY | os.O_APPEND))
    except OSError:
        continue
    raise RuntimeError("@token@ may write " + name)
