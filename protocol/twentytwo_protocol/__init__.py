"""cardline/1: the words, the wire and the models that servers and clients share.

Pure and built on the standard library alone. Start with `words` (what can be said),
`schema` (how a word is declared once) and `wire` (how a word becomes a line).
"""

__version__ = "0.1.0"
