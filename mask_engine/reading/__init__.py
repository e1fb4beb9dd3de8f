"""From schemas to cases: for each of the six types a list of conjunctions, closed under and, or, and not."""
