"""The vocabularies of the games: a module each, entered by importing it."""

from . import twentyeight, twentytwo, whist22

__all__ = ["twentyeight", "twentytwo", "whist22"]
