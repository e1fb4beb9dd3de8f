"""Tests of the server over loopback, with real clients."""
