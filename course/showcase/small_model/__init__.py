"""The small model at work: with and without the masks of the labs, and measured."""
