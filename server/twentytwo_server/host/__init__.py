"""The host: who is here, which tables there are, and what becomes of every command."""
