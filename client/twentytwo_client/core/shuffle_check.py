"""Checks the deal of a game, from the events seen and the seed revealed at the end.

Every pack is shuffled again with the seed, and every seen card must be at its index in the shuffled
pack. The check has to trust only that all players were shown the same commitment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import groupby

from twentytwo_protocol.cards import JOKER, Card, pack, pack32, trumps22
from twentytwo_protocol.fair import (
    DUPLICATE_ALG,
    FAIR_ALG,
    NO_WORD,
    REPEATABLE_ALG,
    TAKEN_ALG,
    FairShuffle,
    commitment,
    entropy,
)
from twentytwo_protocol.schema import Event
from twentytwo_protocol.value import Value
from twentytwo_protocol.vocabulary import VOCABULARIES
from twentytwo_protocol.words.cardplay import Dealt, Drew, Exchanged, Hand_, Played, Shown
from twentytwo_protocol.words.fairness import Committed, Shuffled


class Mismatch(Exception):
    """The deal does not match the server's commitment."""


class Finding(Enum):
    """The result of a check."""

    OK = "OK"
    COMMIT_ONLY = (
        "the deck was not changed after the start. Add a word with seed before a game to prove "
        "that it was not chosen beforehand"
    )
    REPEATABLE = "repeatable deals"
    TAKEN = "the deals of another game"
    UNSEEN = "not checked"
    WRONG = "WRONG"


class Verdict(Value):
    """The result of checking a game; `why` explains any other than OK."""

    game: str
    found: Finding
    why: str = ""

    def __str__(self) -> str:
        why = f" - {self.why}" if self.why else ""
        return f"fair: {self.found.value}{why}"


class ObservedGame(Value):
    """A game as one viewer saw it: the commitment, their seat, the words, and the events.

    `me` is the viewer's seat, None for a spectator. `words` are the words before the start, by
    seat. `doubt` says why our own word does not make the deal fair for us, `wrong` what was wrong
    with the words before the start; both may be empty. `events` are the events from GAME on.
    """

    promised: Committed
    game: str
    me: int | None
    words: tuple[str, ...]
    doubt: str
    wrong: str
    events: list[Event]

    @property
    def word(self) -> str:
        """Our word; `NO_WORD` if we gave none."""
        seated = self.me is not None and self.me <= len(self.words)
        return self.words[self.me - 1] if self.me is not None and seated else NO_WORD


def check(seen: ObservedGame, seed: str) -> Verdict:
    """The verdict on a game, given its seed."""
    promised = seen.promised
    try:
        if commitment(seed) != promised.hash:
            raise Mismatch("the seed is not the one that was sealed")
        if seen.wrong and promised.alg in (FAIR_ALG, DUPLICATE_ALG):
            raise Mismatch(seen.wrong)
        if promised.alg == TAKEN_ALG:
            return Verdict(promised.id, Finding.TAKEN)
        _Check(seen, seed).run()
    except Mismatch as wrong:
        return Verdict(promised.id, Finding.WRONG, f"{promised.id}: {wrong}")
    if promised.alg == REPEATABLE_ALG:
        return Verdict(promised.id, Finding.REPEATABLE)
    if seen.word == NO_WORD or seen.doubt:
        return Verdict(promised.id, Finding.COMMIT_ONLY, seen.doubt)
    return Verdict(promised.id, Finding.OK)


class _Check:
    """Checks a game from its first shuffle. Raises `Mismatch` at the first wrong card."""

    def __init__(self, seen: ObservedGame, seed: str) -> None:
        self._seen = seen
        self._seed = seed
        self._n = 0
        self._full: Sequence[Card] = ()
        self._deck: tuple[Card, ...] = ()
        self._used = 0
        self._lot = ""
        self._both: tuple[str, ...] | None = None
        self._held: dict[int, Counter[Card]] = {}

    def run(self) -> None:
        """Checks all events."""
        kinds = groupby(self._seen.events, key=type)
        for kind, events in kinds:
            if kind is Dealt:
                self._dealt([event for event in events if isinstance(event, Dealt)])
            else:
                for event in events:
                    self._happened(event)

    def _happened(self, event: Event) -> None:
        match event:
            case Shuffled():
                self._shuffled(event)
            case Drew(seat, card):
                if self._take(1) != (card,):
                    raise Mismatch(f"seat {seat} drew {card}, which was not on top")
            case Hand_():
                self._hand(event)
            case Exchanged(seat, n):
                new = self._take(n)
                if event.got is not None and Counter(event.got) != Counter(new):
                    raise Mismatch(f"the cards from the stock in shuffle {self._n} were others")
                self._hold(seat, new)
            case Played(seat, cards):
                for card in cards:
                    self._play(seat, card)
            case Shown(seat, card):
                self._play(seat, card)

    def _shuffled(self, event: Shuffled) -> None:
        self._n += 1
        if event.no != self._n:
            raise Mismatch(f"shuffle {event.no} came where {self._n} was due")
        if self._seen.promised.alg == FAIR_ALG:
            words = self._words(event)
            fair = FairShuffle(self._seed, self._seen.promised.id, words)
        elif self._seen.promised.alg == DUPLICATE_ALG:
            fair = FairShuffle(self._seed, DUPLICATE_ALG, self._words_of_both(event))
        elif self._seen.promised.alg == REPEATABLE_ALG:
            fair = FairShuffle(self._seed, REPEATABLE_ALG)
        else:
            raise Mismatch(f"it was shuffled by {self._seen.promised.alg}, which is unknown")
        self._in_order(event.cards)
        self._deck, self._used = fair.house(event.no, event.cards), 0
        if _is_lot(event.cards):
            self._lot = self._deck[0]

    def _words_of_both(self, event: Shuffled) -> str:
        """The words of both tables of a pair: the first table's, then the other's.

        The words of this table must be those that were announced here, and must never change.
        """
        shuffled, told = event.words or (), self._seen.words
        if told not in (shuffled[: len(told)], shuffled[len(told) :]):
            raise Mismatch("the words of this table are not those that were told here")
        if self._both not in (None, shuffled):
            raise Mismatch(f"shuffle {self._n} has other words than the one before")
        self._both = shuffled
        return self._entropy(shuffled)

    def _words(self, event: Shuffled) -> str:
        """The words that enter the shuffle. They must be those that were announced before the
        start.
        """
        words = self._seen.words
        if event.words != words:
            raise Mismatch(self._other_words(event.words or ()))
        return self._entropy(words)

    @staticmethod
    def _entropy(words: tuple[str, ...]) -> str:
        try:
            return entropy([None if word == NO_WORD else word for word in words])
        except ValueError as wrong:
            raise Mismatch(f"the words cannot be: {wrong}") from None

    def _other_words(self, shuffled: tuple[str, ...]) -> str:
        """Describes words that differ from those before the start."""
        told = self._seen.words
        if len(shuffled) != len(told):
            return f"shuffle {self._n} has {len(shuffled)} words for {len(told)} seats"
        pairs = enumerate(zip(told, shuffled, strict=True), 1)
        seat, (said, has) = next((n, pair) for n, pair in pairs if pair[0] != pair[1])
        whose = "your word" if seat == self._seen.me else f"the word of seat {seat}"
        return f"{whose} was {_or_none(said)}, and shuffle {self._n} has {_or_none(has)}"

    def _in_order(self, cards: Sequence[Card]) -> None:
        """Checks that a pack is in canonical order before it is shuffled, so that the server has no
        choice.
        """
        if self._seen.game not in VOCABULARIES:
            return
        if _is_lot(cards):
            numbers = [int(card) for card in cards]
            if numbers != sorted(set(numbers)):
                raise Mismatch(f"the seats before shuffle {self._n} are not in their order")
            return
        self._full = self._full or _whole(cards)
        left = list(self._full)
        for card in (Counter(self._full) - Counter(cards)).elements():
            left.remove(card)
        if tuple(left) != tuple(cards):
            raise Mismatch(f"the pack before shuffle {self._n} is not in its order")

    def _hand(self, hand: Hand_) -> None:
        if hand.no == 1 and self._lot not in ("", str(hand.dealer)):
            raise Mismatch(f"the lot fell on seat {self._lot}, not on {hand.dealer}")
        self._held.clear()

    def _dealt(self, dealt: Sequence[Dealt]) -> None:
        """Checks a round of the deal, one card at a time, with the same number for everybody."""
        sizes = {event.n for event in dealt}
        if len(sizes) != 1:
            raise Mismatch("not everybody was dealt as many cards")
        cards = self._take(sizes.pop() * len(dealt))
        for index, event in enumerate(dealt):
            hand = cards[index :: len(dealt)]
            for seen in (event.cards, event.seen):
                if seen is not None and Counter(seen) != Counter(hand):
                    raise Mismatch(
                        f"the cards of seat {event.seat} in shuffle {self._n} were others"
                    )
            self._hold(event.seat, hand)

    def _take(self, count: int) -> tuple[Card, ...]:
        """The next cards from the top of the pack."""
        cards = self._deck[self._used : self._used + count]
        self._used += count
        if len(cards) != count:
            raise Mismatch(f"more cards were dealt than shuffle {self._n} had")
        return cards

    def _hold(self, seat: int, cards: Iterable[Card]) -> None:
        self._held.setdefault(seat, Counter()).update(cards)

    def _play(self, seat: int, card: Card) -> None:
        held = self._held.setdefault(seat, Counter())
        # A joker or the Fool is played as a card, and held as itself.
        real = card if held[card] else card[0]
        if not held[real]:
            raise Mismatch(f"seat {seat} never had {card} in shuffle {self._n}")
        held[real] -= 1


def _or_none(word: str) -> str:
    return "none" if word == NO_WORD else word


def _is_lot(cards: Sequence[Card]) -> bool:
    """True if these cards are seats, of which one is drawn by lot."""
    return all(card.isdigit() for card in cards)


def _whole(cards: Sequence[Card]) -> Sequence[Card]:
    """The canonical pack with these cards. Raises `Mismatch`."""
    packs = (pack(cards.count("2C"), cards.count(JOKER)), pack32(), trumps22())
    for whole in packs:
        if Counter(whole) == Counter(cards):
            return whole
    raise Mismatch("the first pack is not a whole one")
