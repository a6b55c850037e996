"""Checks whether a server or a client follows cardline/1 as specified in protocol/SPEC.md.

The checks are black-box tests: the package needs only the standard library and the declarations of
the protocol. Each check is a function in `checks`. Its declaration quotes a sentence of SPEC.md and
lists the ids of the requirements (MUSTs) in it. `runner` runs the checks, and `report` prints the
results. `client_suite` checks clients with a scripted server.
"""
