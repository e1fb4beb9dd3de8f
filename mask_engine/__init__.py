"""What production needs beyond the labs, on top of the labs' own functions; each file extends the idea of one lab."""
