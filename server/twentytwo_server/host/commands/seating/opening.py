"""Opening tables: for practice, for several people, or a pair with the same deals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from twentytwo_protocol.framing import visible
from twentytwo_protocol.schema import Refused
from twentytwo_protocol.voice import plural
from twentytwo_protocol.words import seating as words

from ....answers import ask
from ....facts import Fact
from ....games import players
from ....games.game import AnyGame, Games
from ....games.options import BadOption
from ....ports import Store
from ....table import rated
from ....table.clocks import USUAL_CLOCK, TurnClock, read_clock
from ....table.match import MOST_HANDS
from ....table.seating import read_counting
from ....table.table import Phase, Settings
from ...cluster.homes import Homes
from ...config import LiveConfig
from ...new_table import NewTable, NewTables, PreparedTable
from ...tables.order_queue import OrderResult
from ...tables.pausable_clock import PausableClock
from ...tables.rooms import AnyRoom, Rooms
from ..call import Call, Handlers
from ..confirmations import asks_first, cost_of_practising, lost_at
from ..games import game_of, preset_of, rules_in_words, rules_of
from ..orders import seat_fields

PAIR_HANDS = range(1, 51)
"""The allowed numbers of hands for a pair of tables."""
NOT_AGAINST_BOTS = frozenset(words.Open.__annotations__) - frozenset(words.Practice.__annotations__)
"""Arguments of `open` that `practice` does not have."""
USUAL_SEATS = 4
"""Default number of seats of a table, if the rules allow so many."""


@dataclass(slots=True)
class TableOpening:
    """Opens tables for the sender of a command, and answers."""

    _games: Games
    _rooms: Rooms
    _new_tables: NewTables
    _clock: PausableClock
    _homes: Homes
    _store: Store

    async def open_practice(
        self,
        call: Call,
        command: words.Practice,
        *,
        clock: TurnClock | None = None,
        about: str = "",
        most_hands: int | None = None,
    ) -> None:
        """Opens a practice table, perhaps with a clock; `about` describes it in the answer.

        After `most_hands` the score decides.
        """
        game = game_of(self._games, command.game)
        preset = preset_of(game, command.rules)
        options = dict(command.options or {})
        for name in options:
            if name in NOT_AGAINST_BOTS:
                text = f"practice takes no {name}, open does; help practice says what it takes."
                raise Refused("NO_SUCH_OPTION", text, arg=name)
        rules = rules_of(game, preset, options)
        bots = _bots(game, rules, 3 if command.bots is None else command.bots, least=1)
        level = players.check(game, command.level or players.usual(game))
        settings = Settings(
            bots + 1,
            preset,
            watch=False,
            practice=True,
            clock=clock,
            level=level,
            seed=_seed(command.seed),
            counting=read_counting(command.counting),
        )
        topic = rules_in_words(game)
        text = about or f"{game.title} against {plural(bots, 'bot')}. help {topic} explains."
        wanted = NewTable(game, rules, settings, most_hands=most_hands or MOST_HANDS)
        await self.practise(call, wanted, text=text)

    async def practise(self, call: Call, wanted: NewTable, *, text: str) -> None:
        """Opens a practice table with bots in all other seats, and starts the game.

        `text` describes the table in the answer. A person has at most one practice table: they
        leave the one before, after a question if it has a running game.
        """
        old = [room for room in self._rooms.of(call.me) if room.table.kind.practice]
        if asks_first(call, self._clock, cost_of_practising(old), call.typed):
            return
        full = replace(wanted, bots=wanted.settings.seats - 1, start=True)
        await self.open_new(call, full, text=lambda _: text, leaving=old)

    async def open_new(
        self,
        call: Call,
        wanted: NewTable,
        *,
        text: Callable[[AnyRoom], str],
        leaving: Sequence[AnyRoom] = (),
    ) -> None:
        """Opens a table for the person, and answers; `text` describes the room in the answer.

        The answer also names the tables in `leaving` whose games end.
        """
        playing = [each for each in leaving if each.table.phase is Phase.PLAYING]
        ending = [each for each in playing if not each.table.kind.taught]

        def told(room: AnyRoom, answer: OrderResult) -> str:
            left = [f"You leave {each.id}: its game ends without a result." for each in ending]
            lines = [*left, text(room), *([call.elsewhere(leaving)] if call.people else ())]
            return "\n".join(filter(None, lines))

        opened = self._new_tables.prepare(call.who, wanted, leaving)
        await self.claim(opened, wanted.settings.word)
        await answer_opened(call, opened, told, leaving)

    async def claim(self, opened: PreparedTable, word: str) -> None:
        """Claims the word of a prepared table at all servers. Raises `Refused` if it is taken."""
        shared = word and self._homes.shared
        if shared and not await ask(self._store.claim_word, word, opened.room.id):
            raise word_taken()

    async def open_pair(self, call: Call, wanted: NewTable) -> None:
        """Opens a pair of tables for the person, and answers."""
        settings, hands = wanted.settings, plural(wanted.most_hands, "hand")
        what = f"{wanted.game.title} ({settings.preset}), {settings.seats} seats each, {hands}"

        def text(room: AnyRoom, answer: OrderResult) -> str:
            twin = answer.table.settings.twin if answer.table is not None else ""
            join = f"join {room.id}, or join {twin}"
            if settings.word:
                join = f"join {settings.word}, which leads to where fewer are"
            return (
                f"You open {room.id} and {twin}, which are dealt the same: {what}.\n"
                f"Others type: {join}. Bots take the empty seats.\n"
                "start begins at both when all are ready, and both are compared in the end."
            )

        opened = self._new_tables.prepare_pair(call.who, wanted)
        await self.claim(opened, settings.word)
        await answer_opened(call, opened, text)


async def answer_opened(
    call: Call,
    opened: PreparedTable,
    text: Callable[[AnyRoom, OrderResult], str],
    leaving: Sequence[AnyRoom] = (),
    *facts: Fact,
) -> None:
    """Opens a prepared table, and answers; then the person leaves the tables in `leaving`.

    `facts` are stored with the opening. Raises the refusal.
    """
    lost, room = lost_at(call, leaving), opened.room

    def fields(answer: OrderResult) -> dict[str, Any]:
        more = {"talk": room.kibitz.name, "lost": lost, "text": text(room, answer)}
        return seat_fields(call, room, answer, **more)

    answer = await call.answer(opened.begin, fields, *facts)
    call.go_to(room)
    call.ok(**fields(answer))
    for left in leaving:
        left.order(call.who, words.Leave())


async def practice(call: Call, command: words.Practice, opening: TableOpening) -> None:
    """Opens a practice table with bots in the other seats, without a clock, and starts the game."""
    await opening.open_practice(call, command)


def _bots(game: AnyGame, rules: Any, bots: int, *, least: int = 0) -> int:
    most = game.players(rules).stop - 2
    if not least <= bots <= most:
        raise Refused("BAD_ARG", f"bots takes {least} to {most} here.", arg="bots")
    return bots


def _seed(seed: int | None) -> int | None:
    if seed is not None and seed < 0:
        raise Refused("BAD_ARG", "seed takes a number from 0.", arg="seed")
    return seed


async def open_(
    call: Call,
    command: words.Open,
    games: Games,
    rooms: Rooms,
    config: LiveConfig,
    opening: TableOpening,
) -> None:
    """Opens a table for several people."""
    game = game_of(games, command.game)
    preset = preset_of(game, command.rules)
    rules = rules_of(game, preset, dict(command.options or {}))
    allowed = game.players(rules)
    seats = command.seats or min(USUAL_SEATS, allowed.stop - 1)
    if seats not in allowed:
        least, most = allowed.start, allowed.stop - 1
        span = f"{least} to {most}" if least < most else f"{most}"
        raise Refused("BAD_ARG", f"seats takes {span} by these rules.", arg="seats")
    if command.rated:
        _may_count(call, command, game.options(rules) == game.options(game.presets[preset]))
    if command.duplicate is not None:
        _check_pair(command)
    level = players.check(game, command.level or players.usual(game))
    settings = Settings(
        seats,
        preset,
        watch=_watch(command.watch) and command.duplicate is None,
        word=_word(rooms, command.private),
        title=visible(command.title or "")[:60],
        clock=USUAL_CLOCK if command.clock is None else read_clock(command.clock),
        seed=_dev_seed(config, command.seed),
        level=level,
        rated=bool(command.rated),
        counting=read_counting(command.counting),
    )
    bots = _bots(game, rules, command.bots or 0)
    if bots >= seats:
        raise Refused("BAD_ARG", f"bots takes 0 to {seats - 1} here.", arg="bots")
    _playable(game, rules, seats)
    if command.duplicate is not None:
        await opening.open_pair(call, NewTable(game, rules, settings, most_hands=command.duplicate))
        return
    await opening.open_new(call, NewTable(game, rules, settings, bots), text=_opened)


def _check_pair(command: words.Open) -> None:
    """Raises `Refused` if the arguments do not fit a pair of tables."""
    if command.duplicate not in PAIR_HANDS:
        most = PAIR_HANDS.stop - 1
        raise Refused("BAD_ARG", f"duplicate takes 1 to {most} hands.", arg="duplicate")
    if command.rated:
        raise Refused("BAD_ARG", "Games at a pair of tables are compared, not rated.", arg="rated")
    if command.seed is not None:
        raise Refused("BAD_ARG", "Deals that can be repeated are not compared.", arg="seed")
    if command.watch == "open":
        text = "Nobody watches a pair of tables: they would know the cards of the other."
        raise Refused("BAD_ARG", text, arg="watch")
    if command.bots:
        text = "At the start bots take the empty seats, the same at both tables."
        raise Refused("BAD_ARG", text, arg="bots")


def _may_count(call: Call, command: words.Open, as_it_is: bool) -> None:
    """Raises `Refused` if the arguments do not fit a rated table."""
    rated.check_founder(call.who)
    if not as_it_is:
        raise Refused("BAD_ARG", "Rated games use a preset without changes.", arg="rated")
    if command.bots:
        raise Refused("BAD_ARG", "Bots may not play in rated games.", arg="bots")
    if command.seed is not None:
        raise Refused("BAD_ARG", "Deals that can be repeated are not rated.", arg="seed")


def _playable(game: AnyGame, rules: Any, seats: int) -> None:
    try:
        game.new(rules, seats)
    except BadOption as wrong:
        raise Refused("BAD_ARG", wrong.text, arg=wrong.option) from None


def _watch(watch: str | None) -> bool:
    if watch not in (None, "open", "none"):
        raise Refused("BAD_ARG", "watch takes open or none.", arg="watch")
    return watch != "none"


def _word(rooms: Rooms, word: str | None) -> str:
    if word is None:
        return ""
    if len(word) > 32 or (word[:1] == "t" and word[1:].isdigit()):
        raise Refused("BAD_ARG", "That is not a possible secret word.", arg="private")
    if visible(word) != word:
        text = "Nobody could type that word: there is something in it that is not seen."
        raise Refused("BAD_ARG", text, arg="private")
    if any(room.table.settings.word.lower() == word.lower() for room in rooms.values()):
        raise word_taken()
    return word


def word_taken() -> Refused:
    """The refusal of a secret word that another table has."""
    return Refused("BAD_ARG", "Choose another word; that one is taken.", arg="private")


def _dev_seed(config: LiveConfig, seed: int | None) -> int | None:
    if seed is not None and not config.now.dev:
        raise Refused("FORBIDDEN", "Repeatable deals are for practice.", arg="seed")
    return _seed(seed)


def _opened(room: AnyRoom) -> str:
    settings = room.table.settings
    what = f"{room.table.game.title} ({settings.preset}), {settings.seats} seats"
    what += f', titled "{settings.title}"' if settings.title else ""
    word = f"join {settings.word or room.id}"
    bots = "games here count" if settings.kind.rated else "addbot seats a bot"
    return (
        f"You open {room.id}: {what}. Others type: {word}.\n"
        f"{bots}, start begins when everybody is ready, rules shows the options."
    )


HANDLERS: Handlers = {words.Practice: practice, words.Open: open_}
