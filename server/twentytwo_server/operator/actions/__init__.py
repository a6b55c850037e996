"""The implementations of the admin commands, by topic."""
