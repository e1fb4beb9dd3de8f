"""Puts links to secrets where it may write, and in place of its own file, for the grader to follow."""
# lab: 01, todo: 1

import os

for target in ("@secret_file@", "@other_submission@", "/etc/passwd"):
    for path in ("link", os.path.join(os.environ.get("TMPDIR", "."), "link2"), __file__ + ".link"):
        try:
            os.symlink(target, path)
            text = open(path).read()
        except OSError:
            continue
        raise RuntimeError(f"@token@ read {target} through a link: {text:.40}")
try:
    os.rename(__file__, __file__ + "-moved")
except OSError:
    pass
else:
    raise RuntimeError("@token@ moved its own file away")
