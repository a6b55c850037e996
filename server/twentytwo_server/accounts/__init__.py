"""Accounts: names, passwords, proofs, throttles, ratings. What is pure in them, and the hashing.

The commands are answered in `host.accounts`; what is remembered is in `facts`.
"""
