"""Given code of lab 09: what a guide is, an engine whose model is a function, a worker that is driven by hand."""
