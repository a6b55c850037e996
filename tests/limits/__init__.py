"""Limits: what an address, a connection, an account or a person may do, and how often."""
