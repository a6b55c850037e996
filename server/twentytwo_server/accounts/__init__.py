"""Accounts: names, passwords, SCRAM proofs, revocations, ratings.

`host.commands.accounts` answers the commands; `facts` has the stored facts.
"""
