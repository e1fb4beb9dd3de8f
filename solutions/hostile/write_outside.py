"""Writes to home folders, to every folder that is open to all, and where the next worker would load code from."""
# lab: 01, todo: 1, wall

import os
import sysconfig

CODE = [
    "@repository@",
    "@repository@/course/isolation/pipe",
    sysconfig.get_path("purelib"),
    os.path.dirname(os.__file__),
]
HOMES = [os.path.expanduser("~"), "@home@", "/root", "/home"]
for folder in ("@shared_folder@", "/tmp", "/var/tmp", "/dev/shm", "/run", "/run/lock", "/", *HOMES, *CODE):
    path = os.path.join(folder, "harm-@mark@")
    for make in (lambda: open(path, "w"), lambda: os.mkdir(path), lambda: os.symlink("/", path)):
        try:
            if folder == os.getcwd():
                continue
            make()
        except OSError:
            continue
        raise RuntimeError("@token@ made " + path)
