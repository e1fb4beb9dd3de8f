"""JSON pointers (RFC 6901): places in a schema."""


def below(pointer: str, *steps: str | int) -> str:
    """Return the pointer to something further down.

    >>> below("/properties", "a/b~c", 0)
    '/properties/a~1b~0c/0'
    """
    for step in map(str, steps):
        pointer += "/" + (step.replace("~", "~0").replace("/", "~1") if "~" in step or "/" in step else step)
    return pointer
