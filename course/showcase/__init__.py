"""For visitors: the demo, the benches, and the small model, measured."""
