"""Makes the sentence that a person reads of an event, from the event alone.

A template names the event's fields: `{cards}` is written out, `{seat}` is the player there,
and `{seat:takes}` is the player with the verb, in the right person: "bob takes", "You take".
`{seat:'s}` is the possessive. The same event gives the same words to everybody but "you".

Where something else on the table matters, such as the tricks taken so far, a sentence may say more
if the model of the table is given as `Voice.known`.
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

_IRREGULAR = {"is": "are", "has": "have", "does": "do", "was": "were", "goes": "go"}


def second_person(verb: str) -> str:
    """The verb as said to `you`: takes -> take, passes -> pass, is -> are."""
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
    """`ann`, `ann and bob`, `ann, bob and cat`; or with another word before the last."""
    *most, last = [*things] or [""]
    return f"{', '.join(most)} {joined} {last}" if most else last


def plain_cards(cards: Iterable[Card]) -> str:
    """Cards as people type them: `6S 4H`, with 10 for T; `joker(K)` counts as a king."""
    return " ".join(map(_plain_card, cards))


def _plain_card(card: Card) -> str:
    if card[:1] == "X":
        return "joker" if len(card) == 1 else f"joker({card[1:].replace('T', '10')})"
    return card.replace("T", "10")


Saying = Callable[[Any, "Voice"], str]
"""A sentence as a function of the event and the voice."""

SAYINGS: dict[tuple[str, str], Saying] = {}
"""Sentences that a game has of its own, by game and word."""

ENDINGS: dict[str, Saying] = {}
"""The ends of sentences of any game, by word."""

Telling = Callable[[Fold, "Voice"], list[str]]
"""Lines that tell how things stand at a table."""

GAME_SCORES: dict[str, Telling] = {}
"""The scores of a running game with what counts in its hand, by key; what `score` says."""


class Voice(Value):
    """Who speaks to whom: the names by seat, the seat addressed (or None), the game's key.

    `show` writes cards out; it is how a terminal puts in signs and colours. `known` is what the
    one addressed knows of the table, where that is at hand. `left` are the milliseconds that are
    left to an open question which is told again. `count` writes out how many there are of each
    card, where that is otherwise than `show` does.
    """

    names: Mapping[int, str]
    me: int | None = None
    game: str = ""
    show: Callable[[Iterable[Card]], str] = plain_cards
    known: Fold | None = None
    left: int | None = None
    count: Callable[[Iterable[Card]], str] | None = None
    live: ClassVar[bool] = True
    """True if the events happen now, so that sentences may say what to type."""

    def beside(self, said: Event) -> Fold | None:
        """What is known of the table, if the event still holds; None for an old question."""
        return self.known if self.known is not None and said in self.known.standing else None

    def counted(self, cards: Iterable[Card]) -> str:
        """Many cards, of which it counts how many there are of each."""
        return (self.count or self.show)(cards)

    @property
    def alone(self) -> bool:
        """True if the one addressed plays against bots of the server only."""
        others = [name for seat, name in self.names.items() if seat != self.me]
        return self.me is not None and bool(others) and all(n.startswith("bot:") for n in others)

    def name(self, seat: int) -> str:
        """The player at a seat; `you` for the one addressed."""
        return "you" if seat == self.me else self.names.get(seat, f"seat {seat}")

    def in_hand(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """Cards in the order of a hand, by the rules of the table as far as they are known."""
        options = self.known.options if self.known is not None else {}
        return vocabulary(self.game).in_hand(cards, options)

    def does(self, seat: int, verb: str) -> str:
        """The player with a verb: `bob takes`, `You take`."""
        if seat == self.me:
            return f"You {second_person(verb)}"
        return f"{self.names.get(seat, f'seat {seat}')} {verb}"

    def who_does(self, name: str, verb: str) -> str:
        """Somebody by name, with a verb: `bob sets`, `You set`."""
        mine = self.me is not None and self.names.get(self.me) == name
        return f"You {second_person(verb)}" if mine else f"{name} {verb}"

    def possessive(self, seat: int) -> str:
        """`Your` or `bob's`."""
        return "Your" if seat == self.me else f"{self.name(seat)}'s"

    def sentence(self, said: Event | Row) -> str:
        """What a person reads of the event; empty if nothing."""
        # A row of the same name, such as GAME in `games`, is no event of a game.
        word = said.word.word if isinstance(said, Event) else ""
        say = SAYINGS.get((self.game, word)) or type(said).say
        text = say(said, self) if callable(say) else self.fill(say, said) if say else ""
        end = ENDINGS[word](said, self) if word in ENDINGS else ""
        return f"{text.rstrip()}{end}"

    def fill(self, template: str, said: Event | Row) -> str:
        """The template with the event's fields put in."""
        return _FILLER.vformat(template, (), _Values(said, self))

    def written(self, field: Field, value: Any) -> Any:
        """A field's value as a template shows it."""
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
    """A voice that tells of a game that is over: nobody is asked anything, or told what to type."""

    live: ClassVar[bool] = False

    def sentence(self, said: Event | Row) -> str:
        """What was to be read of the event then, less what was to be done about it."""
        if not isinstance(said, Event):
            return Voice.sentence(self, said)
        if said.scope == "turn":
            return ""
        text = Voice.sentence(self, said)
        ends_it = (said.scope, said.ends) == ("game", "turn")
        return text.partition("\n")[0] if ends_it else text


class OpenVoice(PastVoice):
    """A voice that tells a spectator every hand as well."""

    def sentence(self, said: Event | Row) -> str:
        """What a spectator read of the event, and behind it the cards that only a seat saw."""
        if not isinstance(said, Event):
            return Voice.sentence(self, said)
        public = PastVoice.sentence(self, redact(said, None))
        # A question lists its seat's hand again and again; the hands are told by the other events.
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
    """Enters a game's own sentence for a word."""

    def enter(say: Saying) -> Saying:
        for game in games:
            SAYINGS[game, word] = say
        return say

    return enter
