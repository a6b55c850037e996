"""The terminal client of cardline/1, and the parts from which to build another one.

`core` is the conversation with a server, without any input or output; `sdk` is for writers of bots;
`display` makes text for people; `terminal` and `replay` are the commands that people run.
"""

from twentytwo_protocol import games, words

VOCABULARY = (words, games)
"""Importing these modules declares the words of the protocol: without them no line can be read."""
