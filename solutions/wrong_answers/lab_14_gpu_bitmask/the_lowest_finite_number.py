"""The lowest finite number is used for minus infinity."""

TODO = 6
HINT = 2


def minus_infinity(dtype):
    if dtype == np.uint16:
        return np.uint16(0xFF7F)
    if dtype not in (np.float32, np.float16):
        raise ValueError(f"logits are float32, float16, or bfloat16 as raw bits in uint16; these are {dtype}")
    return np.finfo(dtype).min
