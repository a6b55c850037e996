"""Inputs that nobody would send: `python -m tests.fuzz`."""
