"""Reads the submission of the student who is graded next to it, by its name and through links."""
# lab: 01, todo: 1, wall, sample

import os

for path in ("@other_submission@", "/etc/passwd"):
    for link in (path, "link", os.path.join(os.environ.get("TMPDIR", "."), "link2"), __file__ + ".link"):
        try:
            if link != path:
                os.symlink(path, link)
            text = open(link).read()
        except OSError:
            continue
        raise RuntimeError(f"@token@ read {path} as {link}: {text:.40}")
try:
    os.rename(__file__, __file__ + "-moved")
except OSError:
    pass
else:
    raise RuntimeError("@token@ moved its own file away")
