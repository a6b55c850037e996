"""The terminal client of cardline/1, and the parts from which to build another one.

`core` is the conversation with a server without any input or output, `sdk` is for writers of bots;
`display` is what a person sees, `terminal` and `replay` are what they use.
"""

from twentytwo_protocol import games, words

VOCABULARY = (words, games)
"""Importing these declares all that can be said; without them no word could be read."""
