"""cardline/1: the messages, the wire format and the models that servers and clients share.

The package does no input or output. It depends on the standard library and msgspec alone. Start
with `words` (all messages), `schema` (how a message is declared) and `wire` (how a message becomes
a line).
"""

__version__ = "0.1.0"
