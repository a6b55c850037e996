"""The actions of the admin commands, by topic."""
