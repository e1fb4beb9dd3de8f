"""Writes to /tmp, to home folders, and to every folder that is open to all."""
# lab: 01, todo: 1

import os

HOMES = [os.path.expanduser("~"), "/root", "/home", "@home@", "@shared_folder@", "@repository@"]
for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run", "/run/lock", "/", *HOMES):
    if folder == os.getcwd():
        continue
    path = os.path.join(folder, "harm-@mark@")
    try:
        with open(path, "w") as file:
            file.write("x")
    except OSError:
        pass
    for make in (lambda: os.mkdir(path + "-d"), lambda: os.symlink("/", path + "-l"), lambda: os.mkfifo(path + "-f")):
        try:
            make()
        except OSError:
            continue
