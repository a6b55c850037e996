"""The host: all people and tables of a server, and the handlers of all commands."""
