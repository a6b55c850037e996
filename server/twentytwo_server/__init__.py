"""The twentytwo server: rules of games, tables, sessions, network and storage."""

from twentytwo_protocol import games, words

DECLARED = (words, games)
"""Importing these modules declares every word and the vocabulary of every built-in game."""
