#!/usr/bin/env bash
# Grades one submission for PrairieLearn: from $grade/student/starter.py to $grade/results/results.json.
set -eu

root=${AUTOGRADER_ROOT:-/autograder} grade=${GRADE_ROOT:-/grade}
rm -rf "$root/submission"
cp -R "$grade/student" "$root/submission"
"$root/source/run_autograder"
mkdir -p "$grade/results"
"$root/venv/bin/python" - "$root/results/results.json" "$grade/results/results.json" <<'END'
import json
import sys

found = json.load(open(sys.argv[1]))
tests = [
    {"name": test["name"], "points": test["score"], "max_points": test["max_score"], "output": test["output"]}
    for test in found["tests"]
]
score = found["score"] / sum(test["max_points"] for test in tests)
json.dump({"gradable": True, "score": score, "output": found["output"], "tests": tests}, open(sys.argv[2], "w"))
END
