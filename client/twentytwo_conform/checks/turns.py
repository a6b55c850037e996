"""Sections 12 and 18: turns, cards and moves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ..check import cases, fail, quotes
from ..connections import Program, Record, Table, answer
from ..fixtures import Connect, Open

RANKS = "23456789TJQKAX"
LONG = "seed=7 options=straights:on,exchange:off,first_hand:13"
"""A deal in which hundreds of moves answer a straight of six."""

SHORT = {"twentyeight": "options=target:1,loss_limit:1"}
"""Options that shorten a game; without them clients that do not know the rules play very long."""

GAMES = [
    ("twentytwo", "seed=3 options=limit:12"),
    ("twentytwo", "seed=5 options=limit:12 rules=tvtropes"),
    ("twentytwo", "seed=6 options=limit:12 rules=rasmussen"),
    ("twentytwo", "seed=8 options=limit:12,straights:on"),
    ("twentysix", "seed=4 options=limit:12"),
]


def turns(played: Table) -> Iterator[tuple[Program, Record]]:
    """All questions of a game; each is answered with the default."""
    while (turn := played.turn()) is not None:
        mover = played.mover(turn)
        yield mover, turn
        if played.turn() == turn:
            mover.must(answer(turn))


def subsets(cards: list[str], most: int) -> Iterator[str]:
    """All choices of so many ranks of a hand at most, highest first, as tokens."""
    order = sorted((card[0] for card in cards), key=RANKS.index, reverse=True)
    for size in range(1, most + 1):
        yield from {"+".join(chosen) for chosen in combinations(order, size)}


@quotes("default= is there if and only if the question is put to you", "T1", "T3", "T7")
@cases(("game", "options"), GAMES)
def the_default_is_among_the_legal_moves(table: Open, game: str, options: str) -> None:
    played = table(options=options, game=game)
    for mover, turn in turns(played):
        if turn["choose"] == "one":
            assert turn["default"] in turn.items("legal")
        else:
            assert turn["default"] == "-"
        other = played.seats[2 - turn.number("seat")]
        same = next(e for e in other.on(played.on) if e["seq"] == turn["seq"])
        assert not same.mine
        assert mover.must(f"why {turn['default']}")["allowed"] == "1"


@quotes("A client that sends every default back", "T1")
@cases(("game", "options"), GAMES)
def a_client_of_defaults_plays_any_game(table: Open, game: str, options: str) -> None:
    played = table(seats=3, options=options, game=game)
    assert played.play()
    over = played.host.until("GAMEOVER")
    assert over.items("winners")


@quotes("plays any game, future ones included.", "T1", "T6", "W1")
@cases("rank", [0, 1, 2])
def every_game_of_the_server_is_played_without_knowing_it(
    connect: Connect, table: Open, rank: int
) -> None:
    """Plays each game that the server lists, with moves from the server's lists of legal moves."""
    for row in connect().must("games").rows:
        options = f"seed=1 {SHORT.get(row['game'], '')}"
        played = table(seats=row.number("min"), options=options, game=row["game"])

        def some(turn: Record) -> str:
            legal = turn.items("legal") if "legal" in turn else [turn["default"]]
            token = legal[(turn.number("turn") * rank) % len(legal)]
            return f"move {token} turn={turn['turn']} {turn['on']}"

        assert played.play(some), row["game"]


@quotes("legal lists every legal move, each a token to send back unchanged", "T3", "T8")
@cases(("game", "options"), GAMES)
def the_legal_list_is_exact(table: Open, game: str, options: str) -> None:
    """A choice of cards is legal according to `why` if and only if the list has it."""
    played = table(options=options + " options=first_hand:6", game=game)
    checked = 0
    for mover, turn in turns(played):
        if turn["choose"] == "subset" or checked > 400:
            continue
        listed = turn.items("legal")
        assert turn.number("nlegal") == len(listed) == len(set(listed))
        tried = sorted({*subsets(turn.items("hand"), 4), *listed})
        for number, token in enumerate(tried):
            mover.send(f"@w{number} why {token}")
        for number, token in enumerate(tried):
            legal = mover.reply(f"w{number}")["allowed"] == "1"
            assert legal == (token in listed), f"{token} with {turn.line}"
        checked += len(tried)
    assert checked > 100


@quotes("A move that is not listed is not legal", "T3", "E1")
def a_listed_move_is_accepted_and_others_are_refused(table: Open) -> None:
    for choice in range(4):
        played = table(options="seed=11 options=limit:10,first_hand:5")
        while (turn := played.turn()) is not None:
            mover = played.mover(turn)
            if turn["choose"] == "one":
                listed = turn.items("legal")
                for token in list(subsets(turn.items("hand"), 2))[:6]:
                    if token not in listed:
                        assert mover.ask(f"move {token}").code == "ILLEGAL"
                mover.must(f"move {listed[choice % len(listed)]} turn={turn['turn']}")
            else:
                mover.must(answer(turn))


@quotes("any min to max of the cards in cards, joined with +, or - for none of them", "T4", "D2")
@cases("how", ["none", "all", "ranks", "turned round", "one"])
def any_subset_may_be_exchanged(table: Open, how: str) -> None:
    played = table(options="seed=2 options=first_hand:5")
    mover, turn = played.to_act("exchange")
    cards = turn.items("cards")
    chosen = {
        "none": [],
        "all": cards,
        "ranks": [card[0] for card in cards],
        "turned round": cards[::-1],
        "one": cards[2:3],
    }[how]
    mover.must("move " + ("+".join(chosen) or "-"))
    event = mover.until("EXCHANGED")
    assert event.number("n") == len(chosen) == len(event.items("gave")) == len(event.items("got"))
    if how != "ranks":
        assert sorted(event.items("gave")) == sorted(chosen)


@quotes("A list is never longer than 256 moves or 4,096 bytes.", "T5")
@quotes("A value of next= is opaque, except that of moves (T5).", "R9")
@quotes("lists the moves after the first 256 as rows MOVES first= moves=", "T5")
def a_long_list_is_cut_and_says_so(table: Open) -> None:
    played = table(options=LONG, exactly=True)
    first, _ = played.asked()
    first.must("move 7+6+5+4+3+2")
    mover, turn = played.asked()
    listed = turn.items("legal")
    assert turn["truncated"] == "1"
    assert len(listed) <= 256 and len(turn["legal"]) <= 4096
    assert turn["default"] in turn.fields["default"]
    assert turn.number("nlegal") > len(listed)
    assert len(turn.line) + 2 <= 8192
    while len(listed) < turn.number("nlegal"):
        rest = mover.must(f"moves {played.on} n=1 after={len(listed)}")
        assert rest["nlegal"] == turn["nlegal"]
        (row,) = rest.rows
        assert row.number("first") == len(listed)
        listed += row.items("moves")
        assert rest.final.fields.get("next", turn["nlegal"]) == str(len(listed))
    all_ = mover.must(f"moves {played.on} after=0").rows
    assert [move for row in all_ for move in row.items("moves")] == listed
    assert len(set(listed)) == turn.number("nlegal")
    for token in listed[::37]:
        assert mover.must(f"why {token}")["allowed"] == "1"
    mover.must(f"move {listed[-1]}")


@quotes("A move that is not listed because of this is still legal.", "T5")
def moves_from_the_end_are_none(table: Open) -> None:
    played = table(options="seed=3 options=exchange:off")
    mover, turn = played.asked()
    count = turn["nlegal"]
    assert not mover.must(f"moves after={count}").rows
    assert mover.ask(f"moves after={int(count) + 1}").code == "BAD_ARG"
    assert mover.ask("moves after=-1").code == "BAD_ARG"


@quotes("the move is refused with STALE_TURN turn= and has no effect", "T2", "E1")
@cases("off", [-5, -1, 1, 2, 1000])
def a_move_for_another_turn_is_refused(table: Open, off: int) -> None:
    played = table(options="seed=3 options=limit:10")
    for mover, turn in turns(played):
        mover.take()
        refused = mover.ask(f"move {turn['default']} turn={turn.number('turn') + off}")
        assert (refused.code, refused["turn"]) == ("STALE_TURN", turn["turn"])
        assert not mover.catch_up()


@quotes("turn counts up over the game.", "T2")
def turns_count_up(table: Open) -> None:
    played = table(options="seed=3 options=limit:12")
    played.play()
    for client in played.seats:
        numbers = [event.number("turn") for event in client.on(played.on) if event.word == "TURN"]
        assert numbers == list(range(1, len(numbers) + 1))


@quotes("A move by another seat is refused with NOT_YOUR_TURN turn= seat=", "T7", "E1")
def somebody_elses_move_is_not_theirs_to_make(table: Open) -> None:
    played = table(seats=3, options="seed=3 options=limit:10", watchers=1)
    for mover, turn in turns(played):
        for client in played.everybody:
            if client is mover:
                continue
            refused = client.ask(answer(turn))
            if client in played.watchers:
                assert refused.code == "NOT_SEATED"
            else:
                told = [refused[key] for key in ("code", "turn", "seat")]
                assert told == ["NOT_YOUR_TURN", turn["turn"], turn["seat"]]


@quotes("beat is the play to equal or beat, and low the lowest play where it is legal", "T6")
def a_question_says_what_is_to_beat_and_what_is_held(table: Open) -> None:
    played = table(options="seed=5 options=limit:14")
    for _, turn in turns(played):
        assert turn["act"] in ("exchange", "play")
        if turn["act"] == "exchange":
            continue
        hand = turn.items("hand")
        assert all(card[0] in RANKS for card in hand) and len(hand) >= 2
        last = played.host.on(played.on)[-2]
        assert ("beat" in turn) == (last.word == "PLAYED")
        if "beat" in turn:
            low = turn.items("low")
            assert len(low) == len(turn.items("beat"))
            assert sorted(card[0] for card in hand[: len(low)]) == sorted(low)
            assert "+".join(low) in turn.items("legal")


@quotes("plays nothing. It agrees with legal and with move.", "T8")
@cases("words", ["{d}", "play {d}", "move {d}", "p {d}"])
def why_takes_a_move_as_one_would_play_it(table: Open, words: str) -> None:
    played = table(options="seed=5 options=exchange:off")
    mover, turn = played.asked()
    mover.take()
    assert mover.must("why " + words.format(d=turn["default"]))["allowed"] == "1"
    assert not mover.catch_up()
    mover.must(answer(turn))


SPELLINGS = {
    "token": lambda cards: "move " + "+".join(cards),
    "cards": lambda cards: "play " + " ".join(cards),
    "small": lambda cards: "play " + " ".join(cards).lower(),
    "together": lambda cards: "play " + "".join(cards).lower(),
    "ranks": lambda cards: "play " + " ".join(card[0] for card in cards),
    "ranks together": lambda cards: "play " + "".join(card[0] for card in cards),
    "token of ranks": lambda cards: "move " + "+".join(card[0] for card in cards),
    "turned round": lambda cards: "move " + "+".join(reversed(cards)),
    "ten": lambda cards: "play " + " ".join(cards).replace("T", "10"),
    "signs": lambda cards: "play " + " ".join(cards).replace("H", "\u2665").replace("D", "\u2666"),
}


@quotes("it also reads 10, and small letters", "D1", "D2", "T9")
@cases("spelling", SPELLINGS)
def cards_are_read_in_many_spellings(table: Open, spelling: str) -> None:
    played = table(options="seed=27 options=first_hand:5", exactly=True)
    while (turn := played.turn()) is not None:
        mover = played.mover(turn)
        if "T+T" in turn.fields.get("legal", ""):
            tens = [card for card in turn.items("hand") if card[0] == "T"]
            mover.must(SPELLINGS[spelling](tens))
            event = mover.until("PLAYED")
            while event["seat"] != turn["seat"] or "T" not in event["cards"]:
                event = mover.until("PLAYED")
            assert sorted(event.items("cards")) == sorted(tens)
            return
        if turn["act"] == "exchange" and "QH" in turn.items("cards"):
            mover.must("exchange q k")
        elif turn["act"] == "exchange":
            mover.must("move A")
        else:
            legal = turn.items("legal")
            mover.must("move " + ("5" if "beat" in turn and "5" in legal else turn["default"]))
    fail("no pair of tens was dealt")


@quotes("keep is move -", "T9")
@cases("command", ["keep", "move -", "exchange", "KEEP", "exchange -"])
def keeping_has_several_forms(table: Open, command: str) -> None:
    played = table()
    mover, _ = played.to_act("exchange")
    mover.must(command)
    assert mover.until("EXCHANGED")["n"] == "0"


@quotes("The default is always one that it takes", "T10")
@cases("game", ["twentytwo", "whist22"])
def a_lesson_goes_on_with_the_default(connect: Connect, game: str) -> None:
    player = connect()
    player.must(f"tutorial {game}")
    for _ in range(2):
        player.until("LESSON")
        turn = player.question()
        assert (turn["choose"], turn["default"]) == ("one", turn.items("legal")[0])
        assert player.must(f"why {turn['default']}")["allowed"] == "1"
        player.must(answer(turn))


@quotes("events always show whole cards, highest first", "D2", "D4")
def plays_show_whole_cards_highest_first(table: Open) -> None:
    played = table(seats=4, options="seed=6 options=limit:14")
    played.play(lambda turn: f"move {turn.fields.get('legal', '-').split(',')[-1]}", turns=80)
    kinds = set()
    for event in played.host.on(played.on):
        if event.word == "PLAYED":
            cards = event.items("cards")
            assert all(len(card) == 2 for card in cards)
            ranks = [RANKS.index(card[0]) for card in cards]
            assert ranks == sorted(ranks, reverse=True)
            kinds.add(event["kind"])
    assert {"lead", "beat", "low"} <= kinds <= {"lead", "beat", "low", "follow"}


@quotes("A joker goes only with at least one ordinary card", "D1", "T3")
def a_joker_is_played_with_others_and_shows_its_rank(table: Open) -> None:
    for seed in range(1, 40):
        played = table(options=f"seed={seed} options=limit:12,exchange:off", game="twentysix")
        for mover, turn in turns(played):
            with_joker = [t for t in turn.items("legal") if "X" in t]
            assert "X" not in with_joker
            if with_joker:
                mover.take()
                mover.must(f"move {with_joker[0]}")
                event = next(
                    e for e in mover.catch_up() if e.word == "PLAYED" and e["seat"] == turn["seat"]
                )
                joker = next(card for card in event.items("cards") if card[0] == "X")
                rank = joker[1]
                assert rank in with_joker[0]
                return
    fail("no joker was dealt")


@quotes("The options of each game, their values, presets and defaults are listed by rules", "D3")
@cases("game", ["twentytwo", "twentysix"])
def the_options_of_a_game_are_those_of_its_tables(connect: Connect, game: str) -> None:
    client = connect()
    rows = client.must(f"rules {game}").rows
    rules = {row["key"]: row["default"] for row in rows if row.word == "RULE"}
    on = client.must(f"open {game}")["on"]
    client.catch_up()
    options = {e["key"]: e.fields.get("value") for e in client.on(on) if e.word == "OPTION"}
    assert rules.items() <= options.items()


@quotes("equal hashes, equal rules", "D3")
def equal_rules_have_equal_hashes(table: Open) -> None:
    def digest(options: str) -> str:
        played = table(options=options)
        return next(e["ruleshash"] for e in played.host.on(played.on) if e.word == "GAME")

    assert digest("seed=1") == digest("seed=2") == digest("seed=1 options=limit:22")
    assert digest("seed=1 options=limit:23") != digest("seed=1")
    assert digest("seed=1 rules=tvtropes") != digest("seed=1")


@quotes("A TURN comes before every EXCHANGED, BID, DECLARED and PLAYED.", "O4", "O7")
def the_events_of_a_game_come_in_their_order(table: Open) -> None:
    after = {
        "GAME": {"SHUFFLED"},
        "SHUFFLED": {"SHUFFLED", "DREW", "HAND", "HANDOVER"},
        "DREW": {"DREW", "SHUFFLED", "HANDOVER"},
        "HAND": {"DEALT"},
        "DEALT": {"DEALT", "TURN", "TRICK", "SHOWN"},
        "TURN": {"EXCHANGED", "PLAYED"},
        "EXCHANGED": {"TURN", "TRICK", "SHOWN"},
        "TRICK": {"TURN"},
        "PLAYED": {"TURN", "TOOK"},
        "TOOK": {"TRICK", "SHOWN"},
        "SHOWN": {"SHOWN", "SCORED"},
        "SCORED": {"SCORED", "OUT", "HANDOVER", "SHUFFLED"},
        "OUT": {"OUT", "HANDOVER", "SHUFFLED"},
        "HANDOVER": {"SHUFFLED", "REVEALED"},
        "REVEALED": {"RESULT"},
        "RESULT": {"RESULT", "GAMEOVER"},
        "GAMEOVER": {"COMMITTED"},
    }
    played = table(seats=3, options="seed=12")
    assert played.play()
    events = played.host.on(played.on)
    start = next(n for n, event in enumerate(events) if event.word == "GAME")
    for one, other in zip(events[start:], events[start + 1 :], strict=False):
        assert other.word in after[one.word], f"{other.line} after {one.line}"
