"""The fair shuffle at a table: the seed is committed, players add words, the seed is revealed.

`fair` computes the shuffles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from ..fair import DAILY_ALG, DUPLICATE_ALG, FAIR_ALG, FINGERPRINT_DIGITS, TAKEN_ALG
from ..schema import (
    Cards,
    Command,
    Event,
    Int,
    Ms,
    Row,
    Seat,
    Seats,
    Stream,
    Token,
    Tokens,
    command,
    event,
    row,
)
from ..voice import ENDINGS, listed
from .paging import After, AtMost

if TYPE_CHECKING:
    from ..knowledge import Knowledge
    from ..voice import Voice
    from .cardplay import Game_

# ----------------------------------------------------------------------------- commands


@command("tables", example="seed kitten", once=True)
class Seed(Command):
    """Add a word of yours to the next shuffle, or open your sealed word."""

    word_: Annotated[Token, "1 to 64 letters, digits, - and _"]
    table: Stream | None = None


@command("programs", example="seedhash " + 8 * "0123cdef", once=True)
class Seedhash(Command):
    """Add a sealed word to the next shuffle: its sha256. You open the word when everybody is
    ready.
    """

    hash: Annotated[Token, "64 hex digits"]
    table: Stream | None = None


@command("watching", example="fair g41", cost=5, again=True, waits=True)
class Fair(Command):
    """All that is needed to check a game's shuffles; `fair log` lists the latest commitments."""

    what: Annotated[Token, "a game, gN, or last: the game of your table; or log"]
    alone: ClassVar[str] = "last"
    n: AtMost = None
    after: After = None


# ------------------------------------------------------------------------------- events


WITH_WORDS = (FAIR_ALG, DUPLICATE_ALG)
"""The values of `alg` with words of players."""


def seal(game: str, alg: str, hash: str) -> str:
    """A sentence with the commitment of a game, for people."""
    if alg == TAKEN_ALG:
        return ""  # the sentence at the beginning of the game names its origin
    if alg == DAILY_ALG:
        return f"The deals of {game} are the day's, sealed as {hash[:FINGERPRINT_DIGITS]}..."
    if alg == DUPLICATE_ALG:
        return f"The deck for both tables is sealed: {hash[:FINGERPRINT_DIGITS]}..."
    if alg != FAIR_ALG:
        return f"The deals of {game} can be repeated, by anybody."
    return f"The deck for {game} is sealed: {hash[:FINGERPRINT_DIGITS]}..."


def _seal_told(said: Game_, voice: Voice) -> str:
    """The commitment of a beginning game, for a person who plays against bots only.

    Everybody else has read it when the table opened or when the previous game ended.
    """
    table = voice.known
    sealed = table.promise if table is not None and not table.lesson else None
    if not (voice.live and voice.alone) or sealed is None or sealed.id != said.id:
        return ""
    told = seal(sealed.id, sealed.alg, sealed.hash)
    more = " fair tells more." if sealed.alg == FAIR_ALG else ""
    return f"\n{told}{more}" if told else ""


ENDINGS["GAME"] = _seal_told


def _committed(said: Committed, voice: Voice) -> str:
    if voice.live and voice.alone and (voice.known is None or voice.known.phase == "over"):
        return ""  # a rematch against bots tells it when the game begins
    asked = voice.live and voice.me is not None and said.alg in WITH_WORDS
    hint = " Type seed anything to add luck." if asked else ""
    return seal(said.id, said.alg, said.hash) + hint


@event("table", scope="table", say=_committed)
class Committed(Event):
    """The next game's seed is fixed; `hash` commits to it. Players may add words."""

    id: Annotated[Token, "the id of the next game"]
    no: Annotated[Int, "its number among all commitments of this server; 0 in an old export"]
    alg: Annotated[
        Token, "the method: fd1, duplicate, daily, seed (repeatable), taken (from another game)"
    ]
    hash: Annotated[Token, "sha256 of the seed, in hex"]

    def fold(self, table: Knowledge) -> None:
        """Sets the commitment, and removes all words."""
        table.promise = self
        table.forget_words()


def _seeded(said: Seeded, voice: Voice) -> str:
    opened = voice.known is not None and voice.known.phase not in ("open", "over")
    if voice.live and said.seat != voice.me and (said.hash or opened):
        return ""  # `fair` lists the sealed words: programs seal one for every game
    if said.word_ is not None:
        return f"{voice.possessive(said.seat)} word for the shuffle: {said.word_}"
    return f"{voice.does(said.seat, 'seals')} a word for the shuffle."


@event("table", say=_seeded)
class Seeded(Event):
    """A player's word for the shuffles, which replaces an earlier one; `hash` while it is
    sealed.
    """

    seat: Seat
    word_: Token | None = None
    hash: Annotated[Token | None, "sha256 of the word, in hex"] = None

    def fold(self, table: Knowledge) -> None:
        """Sets the word of the seat."""
        table.at(self.seat).word = self.word_ or ""
        table.at(self.seat).sealed = self.hash or ""


def _unseal(said: Unseal, voice: Voice) -> str:
    if voice.me in said.unopened:
        return f"Open your word within {said.ms // 1000} s: seed and the word that you sealed."
    names = listed(voice.name(seat) for seat in said.unopened)
    return f"The start waits for {names} to open what they sealed."


@event("table", scope="turn", say=_unseal)
class Unseal(Event):
    """The start waits until these seats open their words: `seed WORD`."""

    unopened: Annotated[Seats, "the seats whose words are sealed"]
    ms: Annotated[Ms, "time for opening them"]

    def fold(self, table: Knowledge) -> None:
        """Notes that the start waits for sealed words."""
        table.unseal()


def _calledoff(said: Calledoff, voice: Voice) -> str:
    names = listed(voice.name(seat) for seat in said.unopened)
    who = f"{names} did not open what was sealed" if said.unopened else "somebody left"
    return f"* The start is called off: {who}. All words are void; ready says so again."


@event("table", ends="turn", say=_calledoff)
class Calledoff(Event):
    """The start is called off. Every word is void and has to be given again."""

    unopened: Annotated[Seats, "the seats that did not open their words; none if somebody left"]

    def fold(self, table: Knowledge) -> None:
        """Removes all words, and notes that no start is pending."""
        table.call_off()


@event("table", say="")
class Shuffled(Event):
    """The house shuffles: the pack before the shuffle, in its order."""

    no: Annotated[Int, "the number of the shuffle in this game, from 1"]
    cards: Annotated[Cards, "the pack; or seats, of which one is drawn by lot"]
    words: Annotated[
        Tokens | None, "the players' words by seat, - for none; those of both tables of a pair"
    ] = None

    def fold(self, table: Knowledge) -> None:
        """Sets the words, which stay fixed for the whole game."""
        table.words = self.words


def _revealed(said: Revealed, voice: Voice) -> str:
    if voice.known is not None and voice.known.lesson:
        return ""
    return f"The deck of {said.id} is opened: fair {said.id} shows all you need to check it."


@event("table", say=_revealed)
class Revealed(Event):
    """The seed of a finished game. With it every shuffle of the game can be computed."""

    id: Annotated[Token, "the game's number"]
    seed: Annotated[Token, "hex digits; their sha256 is hash= of COMMITTED"]


# --------------------------------------------------------------------------------- rows


_BECAME = {
    None: "to come, or running",
    "lost": "never played",
    "aside": "set aside",
    "resigned": "ended by resignation",
    "hands": "ended by score",
    "aborted": "broken off",
}
"""Phrases for games without a result. Any other outcome is that of a finished game."""


def _promised(said: FairRow, voice: Voice) -> str:
    became = _BECAME.get(said.outcome, "played to its end")
    if said.seed is None:
        return f"  {said.no}  {said.id}  {said.hash[:FINGERPRINT_DIGITS]}...  {became}"
    words = said.words or ()
    proof = "" if said.outcome == "lost" else f" {_proof(said.alg, words)}"
    lines = [
        f"{said.id}, {became}.{proof}",
        f"sealed as {said.hash}",
        f"seed      {said.seed[:64]}",
        f"          {said.seed[64:]}",
        f"words     {','.join(words) or '-'}",
    ]
    return "\n".join(lines)


def _proof(alg: str, words: Tokens) -> str:
    """The sentence about the proof that the seed of a game gives, and about its limits."""
    if alg == TAKEN_ALG:
        return "Nothing is proved: it went on from another game, whose cards were known."
    if alg == DAILY_ALG:
        return (
            "It is proved that the deals were fixed when they were sealed, the same for everybody; "
            "it is not proved that nobody who runs the server knew them."
        )
    if alg not in WITH_WORDS:
        return "Nothing is proved: with its seed=N anybody could know these deals beforehand."
    if all(word == "-" for word in words):
        return (
            "It is proved that no card was changed after the start; it is not proved that the "
            "deals were left to chance, because nobody added a word."
        )
    return (
        "It is proved that the deals were left to chance, if one of the words is yours; it is "
        "not proved that nobody looked at the cards."
    )


@row(say=_promised, word="FAIR")
class FairRow(Row):
    """A commitment, and the outcome of its game."""

    no: Int
    id: Annotated[Token, "the game's number"]
    alg: Token
    hash: Token
    chain: Annotated[Token, "sha256 of the chain before, | the game | the hash"]
    outcome: Annotated[
        Token | None,
        "absent until the game is over; lost: closed without a game; aside: its table is set aside",
    ] = None
    words: Annotated[Tokens | None, "the players' words by seat, - for none"] = None
    seed: Annotated[Token | None, "the seed, once the game is over; only for a single game"] = None
