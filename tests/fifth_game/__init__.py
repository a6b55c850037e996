"""A fifth game that lives only here: what docs/adding-a-game.md promises is tested with it."""
