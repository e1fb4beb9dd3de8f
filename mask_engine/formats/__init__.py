"""The formats that JSON Schema names, as automata: dates, hosts, URIs."""
