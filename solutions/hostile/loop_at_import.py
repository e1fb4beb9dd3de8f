"""Never ends being loaded."""
# lab: 01, todo: 1

while True:
    pass
