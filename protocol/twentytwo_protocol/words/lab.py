"""The lab of a development server: practice tables with rare situations."""

from __future__ import annotations

from typing import Annotated

from ..schema import Command, Row, Text, Token, Tokens, command, row

# ----------------------------------------------------------------------------- commands


@command("programs", example="lab truncated")
class Lab(Command):
    """Open a practice table at which something rare happens soon, on a server run with --dev."""

    name: Annotated[Token | None, "the name of a table; without it all names are listed"] = None


# --------------------------------------------------------------------------------- rows


@row(say="  {name}: {text}", word="LAB")
class LabRow(Row):
    """A table of the lab."""

    name: Annotated[Token, "its name, for `lab NAME`"]
    game: Token
    events: Annotated[Tokens, "the events that are certain to happen there"]
    text: Annotated[Text, "what happens there, and what you have to do for it"]
