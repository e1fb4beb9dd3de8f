"""The formats that JSON Schema names: dates, hosts, URIs."""
