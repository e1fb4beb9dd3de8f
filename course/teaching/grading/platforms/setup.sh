#!/usr/bin/env bash
# Prepares Gradescope's image, once: Python 3.11 or later, bubblewrap, the packages, and the plan of the lab's tests.
# AUTOGRADER_ROOT is another place than /autograder, for a trial elsewhere; a venv that is there is kept.
set -eu

root=${AUTOGRADER_ROOT:-/autograder}
cd "$root/source"

find_python() {
    for name in python3.13 python3.12 python3.11 python3; do
        if "$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$name"
            return
        fi
    done
}

if [ ! -x "$root/venv/bin/python" ]; then
    apt-get update
    apt-get install -y bubblewrap || echo "no bubblewrap: submissions run as another user" >&2
    python=$(find_python)
    if [ -z "$python" ]; then
        apt-get install -y python3.12 python3.12-venv || apt-get install -y python3.11 python3.11-venv
        python=$(find_python)
    fi
    if [ -z "$python" ]; then
        echo "setup.sh: the course needs Python 3.11 or later with venv, and this image has none." >&2
        echo "Choose a newer base image under Configure Autograder." >&2
        exit 1
    fi
    "$python" -m venv "$root/venv"
    "$root/venv/bin/python" -m pip install -r requirements.txt -c constraints.txt
    chmod -R o+rX "$root/venv"
fi

"$root/venv/bin/python" -m course.teaching.grading.gradescope plan "$root"

# Without bubblewrap a submission runs as another user, who must read neither the references nor what was graded.
chmod o-rwx "$root/source" "$root/graded"
