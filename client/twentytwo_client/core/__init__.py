"""The conversation with a server, without any input or output."""
