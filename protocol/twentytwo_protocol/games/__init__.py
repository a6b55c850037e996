"""The vocabularies of the games: a module each, entered by importing it."""

from . import twentytwo

__all__ = ["twentytwo"]
