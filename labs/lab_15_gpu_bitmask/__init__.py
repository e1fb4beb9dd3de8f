"""Lab 15: the GPU bitmask."""
