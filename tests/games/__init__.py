"""The games: their rules, their engines, their bots, and whole games in text."""
