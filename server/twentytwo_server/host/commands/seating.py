"""Opening tables, sitting down, leaving, watching, and what the host of a table may change."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from twentytwo_protocol.framing import visible
from twentytwo_protocol.frozen import replace
from twentytwo_protocol.model import STANDING
from twentytwo_protocol.schema import Refused
from twentytwo_protocol.vocabulary import DEFAULT_GAME, vocabulary
from twentytwo_protocol.voice import plural
from twentytwo_protocol.words import fairness
from twentytwo_protocol.words import seating as words
from twentytwo_protocol.words.lobby import Watcher
from twentytwo_protocol.words.looking import Line

from ...facts import Fact
from ...games import players
from ...games.game import AnyGame
from ...games.options import BadOption
from ...table import rated, teaching
from ...table.clocks import USUAL, TurnClock, read_clock
from ...table.deals import DUPLICATE, FAIR
from ...table.match import MOST_HANDS
from ...table.opening import Taken
from ...table.seating import read_counting
from ...table.table import Phase, Settings
from ..access import seats_shown
from ..holdings import check_addbot, check_seat
from ..host import Host
from ..new_table import new_pair, new_table
from ..tables.room import Answer, Room
from . import records
from .call import Call, Handlers
from .games import game_of, preset_of, rules_at, rules_of
from .losing import asks_first, cost_of_closing, cost_of_leaving, cost_of_practising, lost_at
from .orders import order, without_table
from .paging import page, texts

_TABLE = re.compile("t[0-9]+")
CAUGHT_UP = 6
"""How many of the last events a new watcher is shown."""
PAIR_HANDS = range(1, 51)
"""After how many hands the game at a pair of tables may end."""
SEATS = 4
"""Default number of seats of a table, if the rules allow so many."""


def practice(call: Call, command: words.Practice) -> None:
    """Opens a practice table with bots in the other seats, without a clock, and starts the game."""
    open_practice(call, command)


def open_practice(
    call: Call,
    command: words.Practice,
    *,
    clock: TurnClock | None = None,
    about: str = "",
    most_hands: int | None = None,
) -> None:
    """The same, with a clock if there is one, and said to be what `about` says of it.

    After `most_hands` the score decides, if that is not the usual number.
    """
    game = game_of(call.host, command.game)
    preset = preset_of(game, command.rules)
    rules = rules_of(game, preset, dict(command.options or {}))
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
    topic = game.key if game.key != DEFAULT_GAME and vocabulary(game.key).help else "play"
    text = about or f"{game.title} against {plural(bots, 'bot')}. help {topic} explains."
    practise(call, game, rules, settings, text=text, most_hands=most_hands or MOST_HANDS)


def practise(
    call: Call,
    game: AnyGame,
    rules: Any,
    settings: Settings,
    *,
    text: str,
    most_hands: int = MOST_HANDS,
    taken: Taken | None = None,
    verb: str = "practice",
) -> None:
    """Opens a practice table with bots in all other seats, and begins; `text` says what it is.

    `verb` is what was typed for it. A person has at most one: the one before is left, and where it
    has a game that is said first.
    """
    old = [room for room in call.host.rooms_of(call.me) if room.table.settings.practice]
    if asks_first(call, verb, cost_of_practising(old)):
        return
    for room in old:
        if room.table.phase is Phase.PLAYING:
            text = f"You leave {room.id}: its game ends without a result.\n{text}"
    open_new(
        call,
        game,
        rules,
        settings,
        bots=settings.seats - 1,
        start=True,
        text=text,
        leaving=old,
        most_hands=most_hands,
        taken=taken,
    )


def _bots(game: AnyGame, rules: Any, bots: int, *, least: int = 0) -> int:
    most = game.players(rules).stop - 2
    if not least <= bots <= most:
        raise Refused("BAD_ARG", f"bots takes {least} to {most} here.", arg="bots")
    return bots


def _seed(seed: int | None) -> int | None:
    if seed is not None and seed < 0:
        raise Refused("BAD_ARG", "seed takes a number from 0.", arg="seed")
    return seed


def open_(call: Call, command: words.Open) -> None:
    """Opens a table for several people."""
    game = game_of(call.host, command.game)
    preset = preset_of(game, command.rules)
    rules = rules_of(game, preset, dict(command.options or {}))
    allowed = game.players(rules)
    seats = command.seats or min(SEATS, allowed.stop - 1)
    if seats not in allowed:
        span = f"{allowed.start} to {allowed.stop - 1}"
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
        word=_word(call.host, command.private),
        title=visible(command.title or "")[:60],
        clock=USUAL if command.clock is None else read_clock(command.clock),
        seed=_dev_seed(call.host, command.seed),
        level=level,
        rated=bool(command.rated),
        counting=read_counting(command.counting),
    )
    bots = _bots(game, rules, command.bots or 0)
    if bots >= seats:
        raise Refused("BAD_ARG", f"bots takes 0 to {seats - 1} here.", arg="bots")
    _playable(game, rules, seats)
    if command.duplicate is not None:
        _open_pair(call, game, rules, settings, command.duplicate)
        return
    open_new(call, game, rules, settings, bots=bots, text=_opened(game, settings))


def _check_pair(command: words.Open) -> None:
    """Raises `Refused` unless such tables can be a pair."""
    if command.duplicate not in PAIR_HANDS:
        most = PAIR_HANDS.stop - 1
        raise Refused("BAD_ARG", f"duplicate takes 1 to {most} hands.", arg="duplicate")
    if command.rated:
        raise Refused("BAD_ARG", "Games at a pair of tables are compared, not rated.", arg="rated")
    if command.seed is not None:
        raise Refused("BAD_ARG", "Deals that anybody knows are not compared.", arg="seed")
    if command.watch == "open":
        text = "Nobody watches a pair of tables: they would know the cards of the other."
        raise Refused("BAD_ARG", text, arg="watch")
    if command.bots:
        text = "At the start bots take the empty seats, the same at both tables."
        raise Refused("BAD_ARG", text, arg="bots")


def _open_pair(call: Call, game: AnyGame, rules: Any, settings: Settings, hands: int) -> None:
    """Opens a pair of tables for the person, and ends the command."""
    what = f"{game.title} ({settings.preset}), {settings.seats} seats each, {plural(hands, 'hand')}"

    def text(room: Room, answer: Answer) -> str:
        twin = answer.table.settings.twin if answer.table is not None else ""
        join = f"join {room.id}, or join {twin}"
        if settings.word:
            join = f"join {settings.word}, which leads to where fewer are"
        return (
            f"You open {room.id} and {twin}, which are dealt the same: {what}.\n"
            f"Others type: {join}. Bots take the empty seats.\n"
            "start begins at both when all are ready, and both are compared in the end."
        )

    answered, kept = _told_of(call, text)
    new_pair(call.host, call.who, game, rules, settings, hands=hands, answered=answered, kept=kept)


def start(call: Call, command: words.Start) -> None:
    """Starts the game; at a pair of tables, at both."""
    room = call.room(command.table)
    if not room.table.settings.twin:
        order(call, command)
        return

    def fields(answer: Answer) -> dict[str, Any]:
        return {"on": room.id, "seat": answer.seat(call.me.name), "seq": answer.seq}

    call.host.pairs.start(
        room, call.who, _ended(call, fields), lambda a: call.kept(lambda: fields(a))
    )


def _ended(call: Call, fields: Callable[[Answer], dict[str, Any]]) -> Callable[[Answer], None]:
    """Ends a command with how the order to a pair of tables ended."""

    def answered(answer: Answer) -> None:
        if answer.refusal is not None:
            call.refuse(answer.refusal)
        else:
            call.ok(**fields(answer))

    return answered


def _check_twin(call: Call, room: Room) -> None:
    """Raises `Refused` for somebody who sits at the other table of the pair."""
    twin = call.host.pairs.twin(room)
    if twin is not None and twin.seat_number(call.me) is not None:
        text = f"You sit at {twin.id}, which has the same cards; leave {twin.id} first."
        raise Refused("ALREADY_SEATED", text)


def _may_count(call: Call, command: words.Open, as_it_is: bool) -> None:
    """Raises `Refused` unless games at such a table may be rated."""
    rated.check_founder(call.who)
    if not as_it_is:
        raise Refused("BAD_ARG", "Rated games go by a preset as it is.", arg="rated")
    if command.bots:
        raise Refused("BAD_ARG", "Bots have no seat in rated games.", arg="bots")
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


def _word(host: Host, word: str | None) -> str:
    if word is None:
        return ""
    if len(word) > 32 or (word[:1] == "t" and word[1:].isdigit()):
        raise Refused("BAD_ARG", "That will not do as a secret word.", arg="private")
    if visible(word) != word:
        text = "Nobody could type that word: there is something in it that is not seen."
        raise Refused("BAD_ARG", text, arg="private")
    if any(room.table.settings.word.lower() == word.lower() for room in host.rooms.values()):
        raise Refused("BAD_ARG", "Choose another word; that one is taken.", arg="private")
    return word


def _dev_seed(host: Host, seed: int | None) -> int | None:
    if seed is not None and not host.config.dev:
        raise Refused("FORBIDDEN", "Repeatable deals are for practice.", arg="seed")
    return _seed(seed)


def _opened(game: AnyGame, settings: Settings) -> str:
    what = f"{game.title} ({settings.preset}), {settings.seats} seats"
    word = f"join {settings.word}" if settings.word else "join {id}"
    bots = "games here count" if settings.rated else "addbot seats a bot"
    return (
        f"You open {{id}}: {what}. Others type: {word}\n"
        f"{bots}, start begins when everybody is ready, rules shows the options."
    )


def open_new(
    call: Call,
    game: AnyGame,
    rules: Any,
    settings: Settings,
    *,
    bots: int,
    text: str,
    start: bool = False,
    leaving: Sequence[Room] = (),
    most_hands: int = MOST_HANDS,
    taken: Taken | None = None,
    played: Sequence[str] = (),
) -> None:
    """Opens a table for the person, and ends the command."""

    def told(room: Room, answer: Answer) -> str:
        lines = [text.replace("{id}", room.id)]
        promised = answer.table.promised if answer.table is not None else None
        if call.people and bots and promised is not None and not settings.lesson:
            lines.append(fairness.sealed(promised.game, promised.alg, promised.digest))
        return "\n".join(lines)

    answered, kept = _told_of(call, told)
    new_table(
        call.host,
        call.who,
        game,
        rules,
        settings,
        bots=bots,
        start=start,
        leaving=leaving,
        most_hands=most_hands,
        taken=taken,
        played=played,
        answered=answered,
        kept=kept,
    )


def _told_of(
    call: Call, text: Callable[[Room, Answer], str]
) -> tuple[Callable[[Room, Answer], None], Callable[[Room, Answer], Sequence[Fact]]]:
    """How the opening of a table is answered, and what is stored with it."""

    def fields(room: Room, answer: Answer) -> dict[str, Any]:
        return {
            "on": room.id,
            "seat": answer.seat(call.me.name),
            "seq": answer.seq,
            "talk": room.kibitz.name,
            "text": text(room, answer),
        }

    def opened(room: Room, answer: Answer) -> None:
        if answer.refusal is not None:
            call.refuse(answer.refusal)
            return
        call.go_to(room)
        call.ok(**fields(room, answer))

    return opened, lambda room, answer: call.kept(lambda: fields(room, answer))


def join(call: Call, command: words.Join) -> None:
    """Sits down at a table, found by its number, its secret word, or a person who sits there."""
    room = _room_to_join(call, command.table)
    check_seat(call.host, call.me)
    _check_twin(call, room)

    def fields(answer: Answer) -> dict[str, Any]:
        text = _seated(room, call.me.name) if call.people else None
        return {
            "on": room.id,
            "seat": answer.seat(call.me.name),
            "seq": answer.seq,
            "talk": room.kibitz.name,
            "text": text,
        }

    call.give(room, command, fields, lambda: call.go_to(room))


def _seated(room: Room, me: str) -> str:
    others = [name for name in room.table.names.values() if name != me]
    here = f"With you: {', '.join(others)}." if others else "Nobody else is here yet."
    promised = room.table.promised
    fair = promised is not None and promised.alg in (FAIR, DUPLICATE)
    luck = " seed and any word adds your luck to the shuffle." if fair else ""
    twin = room.table.settings.twin
    same = (
        f"\n{twin} is dealt the same cards, and compared with {room.id} in the end." if twin else ""
    )
    return f"{rules_at(room)}. {here}{same}\nType ready when you are.{luck}"


def _room_to_join(call: Call, wanted: str) -> Room:
    word, host, quotas = wanted.lower(), call.host, call.host.quotas
    if _TABLE.fullmatch(word):
        return call.room(word)
    person = host.people.find(wanted)
    shown = seats_shown(host, person, call.person) if person is not None else []
    named = shown[-1] if shown else _numbered(call, word)
    # A word goes first; but who may have meant a person or a table has not guessed at one.
    if named is None:
        quotas.check_word(call.me.place, call.me.share)
    private = [room for room in host.rooms.values() if room.table.settings.word.lower() == word]
    if wanted and private:  # of a pair, where there are fewer people
        return min(
            private, key=lambda room: (room.table.phase is Phase.PLAYING, len(room.table.people))
        )
    if named is None:
        quotas.wrong_word(call.me.place)
        return call.room(f"t{word}" if word.isdigit() else wanted)
    return named


def _numbered(call: Call, word: str) -> Room | None:
    """The table of that number, if it is one and they may know of the table."""
    try:
        return call.room(f"t{word}") if word.isdigit() else None
    except Refused:
        return None


def _room_to_watch(call: Call, wanted: str) -> Room:
    person = call.host.people.find(wanted)
    shown = seats_shown(call.host, person, call.person) if person is not None else []
    if shown and not _TABLE.fullmatch(wanted.lower()):
        return shown[-1]
    return _numbered(call, wanted) or call.room(wanted)


def addbot(call: Call, command: words.Addbot) -> None:
    """Has a bot sit down, if the address may have one more of its level."""
    check_addbot(call.host, call.me, call.room(command.table), command.level)
    order(call, command)


def leave(call: Call, command: words.Leave) -> None:
    """Leaves a seat, or stops watching."""
    room = call.room(command.table)
    lost = lost_at(call, [room])
    left = " tutorial goes on where you were." if teaching.reached(room.table) else ""
    if asks_first(call, "leave", cost_of_leaving(lost, [room]), room.id):
        return

    def fields(answer: Answer) -> dict[str, Any]:
        text = f"You leave {room.id}.{left}"
        return {"on": room.id, "seq": answer.seq, "lost": lost or None, "text": text}

    call.give(room, without_table(command), fields, lambda: call.go_from(room))


def rematch(call: Call, command: words.Rematch) -> None:
    """Wishes for another game; where the deals repeat, that is said to people."""
    settings = call.room(command.table).table.settings
    same = None if settings.seed is None else f"The same deals again: seed={settings.seed}."
    order(call, command, text=same if call.people else None)


def close(call: Call, command: words.Close) -> None:
    """Closes a table of which one is the host."""
    room = call.room(command.table)
    if room.table.host != call.me.name or not asks_first(
        call, "close", cost_of_closing(call, room), room.id
    ):
        close_now(call, room, command)


def close_now(call: Call, room: Room, command: words.Close) -> None:
    """Closes it; of a pair of tables, both."""
    if call.host.pairs.twin(room) is None:
        order(call, command)
        return

    def fields(answer: Answer) -> dict[str, Any]:
        return {"on": room.id, "seat": answer.seat(call.me.name), "seq": answer.seq}

    closing = (call.who, without_table(command))
    call.host.pairs.close(
        room, closing, _ended(call, fields), lambda a: call.kept(lambda: fields(a))
    )


def table(call: Call, command: words.Table) -> None:
    """Describes a table in words."""
    room = call.room(command.table)
    t = room.table
    head = f"{room.id}: {t.game.title} ({preset_of(t.game, t.settings.preset)}), {t.phase.value}"
    rows = [Line(f"{head}. {t.settings.title}".rstrip())]
    for seat in t.seats:
        marks = ["host"] if seat.name == t.host else []
        marks += ["ready"] if seat.ready and t.match is None else []
        marks += [] if seat.here else ["away"]
        marks += ["a bot plays"] if seat.standin else []
        marks += [f"word {seat.word}"] if seat.word else ["a sealed word"] if seat.sealed else []
        rows.append(
            Line(f"seat {seat.number}: {seat.name}" + (f" ({', '.join(marks)})" if marks else ""))
        )
    free = list(t.free())
    if free:
        rows.append(Line(f"free: {', '.join(map(str, free))}"))
    clock = t.settings.clock
    rows.append(Line(f"clock: {clock.spelled} s" if clock else "no clock"))
    rows.append(Line(f"counting {'on' if t.settings.counting else 'off'}: cards that have gone"))
    if t.promised is not None and t.promised.alg in (FAIR, DUPLICATE):
        rows.append(Line(f"deck of {t.promised.game} sealed as {t.promised.digest}"))
    call.ok(*rows, on=room.id, n=len(rows))


def watch(call: Call, command: words.Watch) -> None:
    """Starts watching a table, found by its number, or by a person who sits there."""
    room = _room_to_watch(call, command.table)
    command = replace(command, table=room.id)
    if room.seat_number(call.me) is not None:
        raise Refused("ALREADY_SEATED", f"You sit at {room.id}.")

    def fields(answer: Answer) -> dict[str, Any]:
        text = None
        if call.people:
            names = ", ".join(room.table.names.values())
            running = "A game is running" if room.table.phase is Phase.PLAYING else "No game yet"
            text = f"You watch {room.id}: {names}. {running}. unwatch stops."
        talk = room.kibitz.name
        return {"on": room.id, "seq": answer.seq - 1, "talk": talk, "text": text}

    call.give(room, command, fields, lambda: call.go_to(room))
    if call.people:
        _catch_up(call, room)


def _catch_up(call: Call, room: Room) -> None:
    """Shows a new watcher the last events of the hand that still matter."""
    if room.table.phase is Phase.PLAYING:
        for entry in [e for e in room.game_entries() if type(e.event).scope in STANDING][
            -CAUGHT_UP:
        ]:
            call.session.show(entry, None)


def unwatch(call: Call, command: words.Unwatch) -> None:
    """Stops watching a table, or stops a replay."""
    stream = command.table or call.host.replays.running(call.session) or ""
    if stream.lower().startswith("r"):
        records.stop(call, stream.lower())
        return
    room = call.room(command.table)
    if call.me.name not in room.table.watchers:
        raise Refused("NOT_SEATED", f"You do not watch {room.id}.")

    def fields(answer: Answer) -> dict[str, Any]:
        return {"on": room.id, "seq": answer.seq - 1, "text": f"You no longer watch {room.id}."}

    call.give(room, command, fields, lambda: call.go_from(room))


def watchers(call: Call, command: words.Watchers) -> None:
    """Lists the watchers of a table."""
    room = call.room(command.table)
    names = sorted(room.table.watchers, key=str.lower)
    found = page(names, str.lower, command.n, command.after and command.after.lower())
    rows = [Watcher(name) for name in found.items]
    none = None if names else f"Nobody watches {room.id}."
    text = texts(none, found.more("watchers")) if call.people else None
    call.ok(*rows, on=room.id, n=len(rows), next=found.next, text=text)


HANDLERS: Handlers = {
    words.Practice: practice,
    words.Open: open_,
    words.Join: join,
    words.Table: table,
    words.Leave: leave,
    words.Close: close,
    words.Watch: watch,
    words.Unwatch: unwatch,
    words.Watchers: watchers,
    words.Addbot: addbot,
    words.Rematch: rematch,
    words.Start: start,
    **dict.fromkeys(
        (
            words.Option,
            words.Swap,
            words.Ready,
            words.Unready,
            words.Host,
            words.Lock,
            words.Unlock,
            words.Remove,
            words.Dropbot,
        ),
        order,
    ),
}
