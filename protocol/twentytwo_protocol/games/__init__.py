"""The vocabulary, messages and sentences of each game, one module for each."""

from ..vocabulary import enter
from . import twentyeight, twentytwo, whist22
from .twentyeight import Declared, Redealt
from .twentyeight import Trump_ as Trump

__all__ = ["Declared", "Redealt", "Trump", "twentyeight", "twentytwo", "whist22"]

for _vocabulary in (
    twentytwo.VOCABULARY,
    twentytwo.VOCABULARY_26,
    whist22.VOCABULARY,
    twentyeight.VOCABULARY,
):
    enter(_vocabulary)
