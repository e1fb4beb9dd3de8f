"""How the small model was trained, so that anyone can repeat it. Needs requirements/train.txt; nothing else does."""
