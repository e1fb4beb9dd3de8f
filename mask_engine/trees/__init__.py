"""From cases to trees, which lab 06 walks: an object, an array or a text is as large as what a text of it has met."""
