"""The lobby: its stream of events, and the seeks."""
