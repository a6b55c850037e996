"""The twentytwo server: games (laws), play (tables, sessions), and the shell around them."""

from twentytwo_protocol import games, words

DECLARED = (words, games)
"""Importing these modules declares every word and the vocabulary of every built-in game."""
