"""The games that are spoken of here: a module each: vocabulary, words, sentences."""

from ..vocabulary import enter
from . import twentyeight, twentytwo, whist22

__all__ = ["twentyeight", "twentytwo", "whist22"]

for _vocabulary in (
    twentytwo.TWENTYTWO,
    twentytwo.TWENTYSIX,
    whist22.VOCABULARY,
    twentyeight.VOCABULARY,
):
    enter(_vocabulary)
