"""Never ends being loaded."""
# lab: 01

while True:
    pass
