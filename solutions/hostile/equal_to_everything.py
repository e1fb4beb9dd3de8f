"""Returns an object that says that it is equal to anything."""
# lab: 01, sample


class Anything:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 0

    def __bool__(self):
        return True

    def __len__(self):
        return 4

    def __iter__(self):
        return iter([self] * 4)

    def __getattr__(self, name):
        return self

    def __call__(self, *args, **kwargs):
        return self

    def __getitem__(self, key):
        return self

    def __contains__(self, value):
        return True

    def __instancecheck__(self, value):
        return True


def attack(*args, **kwargs):
    return Anything()


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
