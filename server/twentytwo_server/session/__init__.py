"""The conversation on one connection: the meaning of its lines, and the form of its output."""
