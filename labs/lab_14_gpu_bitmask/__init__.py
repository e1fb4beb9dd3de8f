"""Lab 14: the GPU bitmask."""
