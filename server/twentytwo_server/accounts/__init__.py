"""Accounts: names, passwords, SCRAM proofs, revocations, ratings.

The commands are answered in `host.commands.accounts`; the facts that are stored are in `facts`.
"""
