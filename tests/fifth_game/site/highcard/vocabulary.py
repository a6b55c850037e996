"""How people and programs speak of High Card and High Pairs."""

from __future__ import annotations

from typing import Annotated

from twentytwo_protocol.schema import Event, Int, Seat, event
from twentytwo_protocol.vocabulary import Vocabulary, enter
from twentytwo_protocol.voice import Voice, saying
from twentytwo_protocol.words.cardplay import Turn

VOCABULARY = enter(
    Vocabulary(
        "highcard",
        "High Card",
        help="""\
High Card: everybody plays a card, and the highest takes the trick.
1. Every trick is a point. Whoever is the first to have 5 wins.
Your turn shows your cards: type one.""",
        typing="In High Card suits do not matter.",
    )
)
PAIRS = enter(
    Vocabulary("highpairs", "High Pairs", partners=((1, 3), (2, 4)), best="highest", target="up to")
)


@event("table", scope="hand", say="{seat:is} ahead with {points}.")
class Ahead(Event):
    """Somebody is alone in the lead after a hand."""

    seat: Seat
    points: Annotated[Int, "tricks taken so far"]


@saying("TURN", VOCABULARY.key, PAIRS.key)
def asks(said: Turn, voice: Voice) -> str:
    """What you may play."""
    return "" if said.default is None else f"Your card: {voice.show(said.hand or ())}"
