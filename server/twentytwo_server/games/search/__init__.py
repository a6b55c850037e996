"""The hard bot, shared by all games."""
