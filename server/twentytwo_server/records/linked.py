"""A finished game as the lines that `twentytwo_protocol.event_link` packs into a link."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from twentytwo_protocol.folding import Fold
from twentytwo_protocol.schema import Event, redact
from twentytwo_protocol.voice import OpenVoice, Voice
from twentytwo_protocol.wire import write
from twentytwo_protocol.words.cardplay import Turn
from twentytwo_protocol.words.fairness import Committed, Revealed, Seeded, Shuffled

from . import telling

OF_THE_SHUFFLE = (Committed, Revealed, Seeded, Shuffled)
"""The events that are left out: they only serve to check the deals."""


def lines(told: Iterable[Event], names: Mapping[int, str], game: str) -> Iterator[tuple[str, str]]:
    """Each event with its sentence: as all cards are open, and as a spectator saw it."""
    known = Fold("")
    voice = OpenVoice(names, None, game, known=known)
    for event in told:
        telling.note(event, known)
        if not isinstance(event, OF_THE_SHUFFLE):
            yield _line(event, voice), _line(redact(event, None), voice)


def _line(event: Event, voice: Voice) -> str:
    # The other fields of a question follow from the cards.
    said = Turn(event.turn, event.seat, event.act) if isinstance(event, Turn) else event
    return write(said, text=voice.sentence(event).replace("\n", "  "))
