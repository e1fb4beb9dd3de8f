"""What trees are made of besides: numbers, constants, skeletons over markers."""
