"""Bridge to llama.cpp: the small model as a GGUF file, and masks as a logits processor of llama-cpp-python."""
