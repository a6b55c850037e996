"""A fifth game that lives only here: what docs/contributing/game.md promises is tested with it."""
