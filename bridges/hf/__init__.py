"""To Hugging Face's transformers: the small model in its form, and the course's masks as a logits processor."""
