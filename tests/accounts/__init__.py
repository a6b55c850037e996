"""Accounts: names, passwords, proofs, ratings."""
