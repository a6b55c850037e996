"""Accounts: names, passwords, proofs, throttles, ratings."""
