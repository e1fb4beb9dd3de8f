"""Lab 04: EOS gating."""
