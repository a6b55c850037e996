"""The commands of the chapter `session`."""
