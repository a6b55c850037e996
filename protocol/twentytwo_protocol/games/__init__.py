"""The vocabularies of the games: a module each, entered by importing it."""

from . import twentytwo, whist22

__all__ = ["twentytwo", "whist22"]
