"""Makes empty files until the file system has no more room for names."""
# lab: 01, todo: 1

made = 0
try:
    for i in range(200_000):
        open(f"harm-{i}", "w").close()
        made += 1
except OSError:
    pass
if made > 10_000:
    raise RuntimeError(f"@token@ made {made} files")
