"""The twentytwo server: games (laws), play (tables, sessions), and the shell around them."""

from twentytwo_protocol import games, words

DECLARED = (words, games)
"""Importing these declares every word, and enters the vocabulary of every game of this project."""
