"""Accounts: names, passwords, proofs, login limits, ratings."""
