"""Given code of lab 10: the tokens by their bytes, a guide with bytes, a request by itself, a model of one head."""
