"""Makes the sentence that a person reads for an event, from the event alone.

A template names the event's fields: `{cards}` becomes the cards, `{seat}` the player, and
`{seat:takes}` the player with the verb in the right person: "bob takes", "You take". `{seat:'s}` is
the possessive. Apart from "you", everybody reads the same words.

`Voice.known` is an optional model of the table. With it, sentences can add facts such as the tricks
taken so far.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from .cards import Card
from .folding import Fold
from .schema import Event, Field, Row, redact
from .value import Value
from .vocabulary import vocabulary

__all__ = [
    "ENDINGS",
    "GAME_SCORES",
    "SAYINGS",
    "OpenVoice",
    "PastVoice",
    "Saying",
    "Telling",
    "Voice",
    "listed",
    "plain_cards",
    "plural",
    "saying",
    "second_person",
]

_IRREGULAR = {"is": "are", "has": "have", "does": "do", "was": "were", "goes": "go"}


def second_person(verb: str) -> str:
    """The second person of a verb: takes -> take, passes -> pass, is -> are."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    if verb.endswith(("ches", "shes", "sses", "xes")):
        return verb[:-2]
    return verb.removesuffix("s")


def plural(count: int, thing: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def listed(things: Iterable[str], joined: str = "and") -> str:
    """An enumeration: `ann`, `ann and bob`, `ann, bob and cat`. `joined` is the word before the
    last item.
    """
    *most, last = [*things] or [""]
    return f"{', '.join(most)} {joined} {last}" if most else last


def plain_cards(cards: Iterable[Card]) -> str:
    """Cards as people type them: `6S 4H`, with 10 for T. `joker(K)` counts as a king."""
    return " ".join(map(_plain_card, cards))


def _plain_card(card: Card) -> str:
    if card[:1] == "X":
        return "joker" if len(card) == 1 else f"joker({card[1:].replace('T', '10')})"
    return card.replace("T", "10")


Saying = Callable[[Any, "Voice"], str]
"""A function that makes the sentence of an event."""

SAYINGS: dict[tuple[str, str], Saying] = {}
"""The sentences of single games, by game and word."""

ENDINGS: dict[str, Saying] = {}
"""The ends of sentences that all games share, by word."""

Telling = Callable[[Fold, "Voice"], list[str]]
"""A function that tells the state of a table, line by line."""

GAME_SCORES: dict[str, Telling] = {}
"""The scores of a running game with the facts of its hand, by game: the answer to `score`."""


class Voice(Value):
    """The context of a sentence: the names by seat, the addressed seat (or None), the key of the
    game.

    `show` formats cards, for example with suit signs and colours. `known` is the addressee's model
    of the table, if available. `left` is the time left for a repeated open question, in
    milliseconds. `count` formats cards with their multiplicity; the default is `show`.
    """

    names: Mapping[int, str]
    me: int | None = None
    game: str = ""
    show: Callable[[Iterable[Card]], str] = plain_cards
    known: Fold | None = None
    left: int | None = None
    count: Callable[[Iterable[Card]], str] | None = None
    live: ClassVar[bool] = True
    """True if events happen now, so that sentences may say what to type."""

    def beside(self, said: Event) -> Fold | None:
        """The model of the table, if the event still stands there; None for an old question."""
        return self.known if self.known is not None and said in self.known.standing else None

    def counted(self, cards: Iterable[Card]) -> str:
        """Several cards with their multiplicity."""
        return (self.count or self.show)(cards)

    @property
    def alone(self) -> bool:
        """True if all other players are bots of the server."""
        others = [name for seat, name in self.names.items() if seat != self.me]
        return self.me is not None and bool(others) and all(n.startswith("bot:") for n in others)

    def name(self, seat: int) -> str:
        """The name of the player at a seat; `you` for the addressee."""
        return "you" if seat == self.me else self.names.get(seat, f"seat {seat}")

    def in_hand(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """The cards in the order of a hand, by the rules of the table if known."""
        options = self.known.options if self.known is not None else {}
        return vocabulary(self.game).in_hand(cards, options)

    def does(self, seat: int, verb: str) -> str:
        """The player at a seat with a verb: `bob takes`, `You take`."""
        if seat == self.me:
            return f"You {second_person(verb)}"
        return f"{self.names.get(seat, f'seat {seat}')} {verb}"

    def who_does(self, name: str, verb: str) -> str:
        """A player by name, with a verb: `bob sets`, `You set`."""
        mine = self.me is not None and self.names.get(self.me) == name
        return f"You {second_person(verb)}" if mine else f"{name} {verb}"

    def possessive(self, seat: int) -> str:
        """The possessive of the player at a seat: `Your` or `bob's`."""
        return "Your" if seat == self.me else f"{self.name(seat)}'s"

    def sentence(self, said: Event | Row) -> str:
        """The sentence of an event; may be empty."""
        # A row with the word of an event, such as GAME in the reply to `games`, is not about this
        # game.
        word = said.word.word if isinstance(said, Event) else ""
        say = SAYINGS.get((self.game, word)) or type(said).say
        text = say(said, self) if callable(say) else self.fill(say, said) if say else ""
        end = ENDINGS[word](said, self) if word in ENDINGS else ""
        return f"{text.rstrip()}{end}"

    def fill(self, template: str, said: Event | Row) -> str:
        """The template with the fields of the event filled in."""
        return _FILLER.vformat(template, (), _Values(said, self))

    def written(self, field: Field, value: Any) -> Any:
        """The value of a field as a template shows it."""
        match field.kind.name:
            case "seat":
                return _Player(value, self)
            case "seats":
                return listed(self.name(seat) for seat in value)
            case "cards":
                return self.show(value)
            case "card":
                return self.show((value,))
            case _:
                return "" if value is None else value


class PastVoice(Voice):
    """A voice for finished games: it asks no questions and never says what to type."""

    live: ClassVar[bool] = False

    def sentence(self, said: Event | Row) -> str:
        """The sentence of the event, without advice on what to type."""
        if not isinstance(said, Event):
            return Voice.sentence(self, said)
        if said.scope == "turn":
            return ""
        text = Voice.sentence(self, said)
        ends_it = (said.scope, said.ends) == ("game", "turn")
        return text.partition("\n")[0] if ends_it else text


class OpenVoice(PastVoice):
    """A voice that shows a spectator all hands."""

    def sentence(self, said: Event | Row) -> str:
        """The sentence for a spectator, followed by the cards that only one seat saw."""
        if not isinstance(said, Event):
            return Voice.sentence(self, said)
        public = PastVoice.sentence(self, redact(said, None))
        # A question repeats its seat's hand. The other events suffice to tell it.
        seen = self._private(said) if said.scope != "turn" else ""
        return f"{public} {seen}".strip() if seen else public

    def _private(self, said: Event) -> str:
        parts: dict[int, list[str]] = {}
        for field in said.word.fields:
            value = getattr(said, field.attr)
            if field.attr in said.private and value and field.kind.name in ("cards", "card"):
                seat = getattr(said, said.private[field.attr].seat)
                label = "" if field.key == "cards" else f"{field.key} "
                parts.setdefault(seat, []).append(f"{label}{self.written(field, value)}")
        return " ".join(f"({self.name(seat)}: {', '.join(each)})" for seat, each in parts.items())


class _Values(dict[str, Any]):
    def __init__(self, said: Event | Row, voice: Voice) -> None:
        super().__init__()
        self._said = said
        self._voice = voice

    def __missing__(self, attr: str) -> Any:
        field = next(f for f in self._said.word.fields if f.attr == attr)
        return self._voice.written(field, getattr(self._said, attr))


class _Player:
    """A seat in a template."""

    __slots__ = ("_seat", "_voice")

    def __init__(self, seat: int, voice: Voice) -> None:
        self._seat = seat
        self._voice = voice

    def __format__(self, verb: str) -> str:
        if verb == "'s":
            return self._voice.possessive(self._seat)
        return self._voice.does(self._seat, verb) if verb else self._voice.name(self._seat)


class _Filler(string.Formatter):
    def get_value(self, key: int | str, args: Any, kwargs: Mapping[str, Any]) -> Any:
        return kwargs[str(key)]


_FILLER = _Filler()


def saying(word: str, *games: str) -> Callable[[Saying], Saying]:
    """Registers a game's own sentence for a word."""

    def enter(say: Saying) -> Saying:
        for game in games:
            SAYINGS[game, word] = say
        return say

    return enter
