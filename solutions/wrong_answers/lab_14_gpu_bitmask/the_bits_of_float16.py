"""The raw bits are those of float16, which has 16 bits as well."""

TODO = 6
HINT = 1


def minus_infinity(dtype):
    if dtype == np.uint16:
        return np.float16("-inf").view(np.uint16)
    if dtype not in (np.float32, np.float16):
        raise ValueError(f"logits are float32, float16, or bfloat16 as raw bits in uint16; these are {dtype}")
    return dtype.type("-inf")
