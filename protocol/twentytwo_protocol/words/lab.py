"""The lab of a development server: practice tables with rare situations."""

from __future__ import annotations

from typing import Annotated

from ..schema import Command, Row, Text, Token, Tokens, command, row

# ----------------------------------------------------------------------------- commands


@command("programs", example="lab truncated")
class Lab(Command):
    """Open a practice table at which something rare happens soon, on a server run with --dev."""

    name: Annotated[Token | None, "one of those that are listed if you say nothing"] = None


# --------------------------------------------------------------------------------- rows


@row(say="  {name}: {text}", word="LAB")
class LabRow(Row):
    """A table of the lab."""

    name: Annotated[Token, "lab NAME opens it"]
    game: Token
    events: Annotated[Tokens, "the events that it is sure to show"]
    text: Annotated[Text, "what happens there, and what is to be done for it"]
