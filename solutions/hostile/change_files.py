"""Overwrites, renames, removes, locks and changes the tests and another submission."""
# lab: 01, todo: 1, sample

import os

for path in ("@other_submission@", "@tests@"):
    for attempt in (
        lambda: open(path, "a").write("# changed"),
        lambda: os.truncate(path, 0),
        lambda: os.chmod(path, 0),
        lambda: os.chmod(os.path.dirname(path), 0o700),
        lambda: os.utime(path, (0, 0)),
        lambda: os.setxattr(path, "user.harm", b"x"),
        lambda: os.chown(path, 12345, 12345),
        lambda: os.link(path, path + "-linked"),
        lambda: os.rename(path, path + "-moved"),
        lambda: os.remove(path),
    ):
        try:
            attempt()
        except OSError:
            continue
        raise RuntimeError("@token@ changed " + path)
