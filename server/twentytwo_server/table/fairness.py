"""The players' words for the shuffle, given openly or sealed until everybody is ready.

The sequence makes the shuffle fair. First the server commits to its seed. Then players give words,
and the words are fixed. Only then is the deck shuffled with both. A sealed word is given as its
hash: nobody can adapt another word to it, and its owner cannot change it after seeing the others'
words. Sealed words are opened in phase STARTING, when no word can be given any more.
"""

from __future__ import annotations

import hashlib
import re

from msgspec.structs import replace

from twentytwo_protocol.fair import DUPLICATE_ALG, FAIR_ALG, WORD
from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words.fairness import Seed, Seeded, Seedhash, Unseal

from .decision import Decision
from .effects import WordsDue
from .table import Phase, Seat

CHANGES = 3
"""Number of times that the word of a seat may be replaced."""
TIME_TO_OPEN = 30_000
"""Milliseconds for opening sealed words."""
HASH = re.compile("[0-9a-f]{64}")


def say_word(d: Decision, order: Seed) -> None:
    """Gives a word for the shuffle; in phase STARTING, opens the sealed word."""
    if not WORD.fullmatch(order.word_):
        raise Refused("BAD_ARG", "A word is 1 to 64 letters, digits, - and _.", arg="word")
    seat = d.own_seat()
    if d.table.phase is Phase.STARTING:
        _open(d, seat, order.word_)
    elif order.word_ != seat.word:
        _give(d, seat, Seeded(seat.number, word_=order.word_))


def seal_word(d: Decision, order: Seedhash) -> None:
    """Gives the hash of a word; its owner keeps the word secret for now."""
    if d.table.kind.paired:
        raise Refused("FORBIDDEN", "Words are open at a pair of tables: seed and any word.")
    digest = order.hash.lower()
    if not HASH.fullmatch(digest):
        raise Refused("BAD_ARG", "seedhash takes the sha256 of your word, 64 digits.", arg="hash")
    if d.table.phase is Phase.STARTING:
        raise Refused("GAME_RUNNING", "The game is about to start; no word can be added now.")
    seat = d.own_seat()
    if digest != seat.sealed:
        _give(d, seat, Seeded(seat.number, hash=digest))


def check_pair(d: Decision) -> None:
    """Raises `Refused` while nobody at a table of a pair can be ready or add a word."""
    table, twin = d.table, d.table.settings.twin
    if twin and table.widowed:
        raise Refused("FORBIDDEN", f"{twin} is closed: there is nobody to compare with any more.")
    if twin and table.dealt:
        raise Refused("GAME_RUNNING", f"{twin} still plays these cards; then both are compared.")


def _give(d: Decision, seat: Seat, given: Seeded) -> None:
    check_pair(d)
    promised = d.table.promised
    if promised is None or promised.alg not in (FAIR_ALG, DUPLICATE_ALG):
        raise Refused("FORBIDDEN", "The deals of this table can be repeated; words add nothing.")
    if seat.given > CHANGES:
        raise Refused("QUOTA", f"You have changed your word {CHANGES} times; it stays as it is.")
    d.put_seat(
        replace(seat, word=given.word_ or "", sealed=given.hash or "", given=seat.given + 1),
    )
    d.tell(given)
    d.unready()


# ---------------------------------------------------------------------------- opening them


def sealed(d: Decision) -> list[Seat]:
    """The seats with unopened words."""
    return [seat for seat in d.table.seats if seat.sealed]


def ask_to_open(d: Decision) -> None:
    """Fixes all words and asks for the sealed ones to be opened; the game waits for them."""
    d.change(phase=Phase.STARTING, asked_to_open=d.now.at)
    d.tell(Unseal(tuple(seat.number for seat in sealed(d)), TIME_TO_OPEN))
    wait_for_words(d)


def wait_for_words(d: Decision) -> None:
    """Requests a wake at the end of the time to open sealed words, if the table waits for any."""
    if d.table.phase is Phase.STARTING:
        due = d.table.asked_to_open + TIME_TO_OPEN
        d.wake(max(0, due - d.now.at), WordsDue(d.table.asked_to_open))


def _open(d: Decision, seat: Seat, word: str) -> None:
    if not seat.sealed:
        raise Refused("GAME_RUNNING", "The game is about to start; no word can be changed now.")
    if hashlib.sha256(word.encode()).hexdigest() != seat.sealed:
        raise Refused("BAD_ARG", "That is not the word that you sealed.", arg="word")
    d.put_seat(replace(seat, word=word, sealed=""))
    d.tell(Seeded(seat.number, word_=word))


def words_due(d: Decision, order: WordsDue) -> None:
    """Cancels the start if sealed words were not opened in time; ignores an outdated wake."""
    table = d.table
    if table.phase is not Phase.STARTING or table.asked_to_open != order.asked:
        return
    if d.now.at < order.asked + TIME_TO_OPEN:  # the clock stood still meanwhile
        wait_for_words(d)
    else:
        d.call_off(*sealed(d))
