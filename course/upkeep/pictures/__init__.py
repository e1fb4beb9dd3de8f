"""The pictures in the labs' READMEs, drawn from the references."""
