"""Human-readable figures, and the ticks of an axis."""

import math

_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_COUNTS = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))


def quantity(value: float, unit: str = "") -> str:
    """Return two or three digits and a scale; with ``unit="s"`` the value is in seconds.

    >>> [quantity(value) for value in (0, 0.25, 7, 1024, 4096, 131072, 2.5e6)]
    ['0', '0.25', '7', '1k', '4.1k', '131k', '2.5M']
    >>> [quantity(value, "s") for value in (0.00012, 0.0041, 0.3, 12)], quantity(2048, "B")
    (['120 µs', '4.1 ms', '300 ms', '12 s'], '2k B')
    """
    value = float(f"{value:.3g}")
    if not value:
        return f"0 {unit}".rstrip()
    scales = _TIMES if unit == "s" else _COUNTS
    size, name = next((scale for scale in scales if abs(value) >= scale[0]), scales[-1])
    scaled = value / size
    if abs(scaled) < 1:
        number = f"{scaled:.2g}".replace("e-0", "e-")
    else:
        number = f"{scaled:.{0 if abs(scaled) >= 10 else 1}f}".removesuffix(".0")
    return f"{number} {name}" if unit == "s" else f"{number}{name} {unit}".rstrip()


def log_ticks(low: float, high: float) -> list[float]:
    """Return powers of ten between the two; if they are too few, 1, 2 and 5 times them, or any round figures.

    >>> log_ticks(5e-4, 0.3), log_ticks(1.5, 30)
    ([0.001, 0.01, 0.1], [2.0, 5.0, 10.0, 20.0])
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    step = math.ceil((last - first) / 8) or 1
    powers = [float(f"1e{power}") for power in range(first, last + 1, step)]
    coarse = [tick for tick in powers if low <= tick <= high]
    fine = [float(f"{digit}e{power}") for power in range(first, last + 1) for digit in (1, 2, 5)]
    fine = [tick for tick in fine if low <= tick <= high]
    return coarse if len(coarse) > 2 else fine if len(fine) > 1 else linear_ticks(low, high)


def linear_ticks(low: float, high: float) -> list[float]:
    """Return about five round figures between the two.

    >>> linear_ticks(0, 0.93)
    [0.0, 0.2, 0.4, 0.6, 0.8]
    """
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(digit * power for digit in (1, 2, 5, 10) if digit * power >= rough * 0.999)
    return [float(f"{tick * step:.6g}") for tick in range(math.ceil(low / step), math.floor(high / step) + 1)]
