"""The book: a web site made from the repository's pages."""
