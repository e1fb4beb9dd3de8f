"""Returns objects that are equal to anything, that claim to be of another class, and arrays that agree with all."""
# lab: 01, sample

import numpy as np


class Anything:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 0

    def __len__(self):
        return 4

    def __iter__(self):
        return iter([self] * 4)

    def __getattr__(self, name):
        return self

    def __getitem__(self, key):
        return self


class AgreeableArray(np.ndarray):
    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return np.ones(self.shape, bool)

    def __array_function__(self, function, types, args, kwargs):
        return True

    __hash__ = None


LIES = [Anything(), np.zeros(4).view(AgreeableArray)]
LIES += [type("Lie", (Anything,), {"__class__": kind})() for kind in (bool, str, tuple, np.ndarray, type(None))]


def attack(*args, **kwargs):
    LIES.append(LIES.pop(0))
    return LIES[-1]
