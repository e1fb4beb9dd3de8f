"""Bridge to Hugging Face's transformers: the small model in its format, and masks as a logits processor."""
