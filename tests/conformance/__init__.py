"""The conformance suite: what protocol/SPEC.md says of a server, checked over TCP.

Black box: nothing of the server is imported. `python -m tests.conformance HOST:PORT` runs it
against any server; pytest alone starts one of its own.
"""
