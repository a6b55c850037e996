"""The hard bot, which all games share."""
