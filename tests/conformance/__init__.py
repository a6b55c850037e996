"""Whether our server keeps what protocol/SPEC.md says: the checks of `twentytwo conform`.

They are in client/twentytwo_conform. Here they run under pytest, against servers of our own, and
are themselves tried on servers that are wrong.
"""
