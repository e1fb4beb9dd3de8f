"""Uses /proc/self to reopen its pipes, write its memory, and reach files by descriptor."""
# lab: 01, todo: 1

import os

for path in (
    "/proc/self/root@other_submission@",
    "/proc/self/cwd/../../../@secret_file@",
    "/proc/thread-self/root/etc/shadow",
):
    try:
        raise RuntimeError(f"@token@ read {path}: " + open(path).read(100))
    except OSError:
        continue
for path in (
    "/proc/self/oom_score_adj",
    "/proc/sys/kernel/core_pattern",
    "/proc/sysrq-trigger",
    "/sys/kernel/uevent_helper",
):
    try:
        os.close(os.open(path, os.O_WRONLY))
    except OSError:
        continue
    raise RuntimeError("@token@ may write " + path)
