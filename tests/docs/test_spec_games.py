"""What the specification says of Whist 22 and Twenty-Eight, held against games that are played."""

from __future__ import annotations

import random
import re
from functools import cache

import pytest

from tests.conformance.quoting import quotes
from tests.kit.hosts import World
from twentytwo_protocol import wire
from twentytwo_protocol.wire import ParsedLine
from twentytwo_server.table.table import Phase

WHIST = ("whist22", 4, "options=start_score:14")
BLIND = ("whist22", 7, "rules=bga options=start_score:9")
CALLED = ("twentyeight", 4, "options=target:1,loss_limit:1")
ASKED = ("twentyeight", 4, "rules=pagat options=target:3,loss_limit:6")
GAMES = {"whist22": (WHIST, BLIND), "twentyeight": (CALLED, ASKED)}
WORDS = {
    *("GAME", "SHUFFLED", "HAND", "DEALT", "BID", "CONTRACT", "TRUMP", "TRICK", "PLAYED", "TOOK"),
    *("SCORED", "HANDOVER", "DECLARED", "REDEALT", "REVEALED", "RESULT", "GAMEOVER", "TURN"),
}
WHIST_HAND = (
    r"(SHUFFLED HAND (DEALT ){N}(TURN BID ){N}(TRICK (TURN PLAYED ){N}TOOK )+(SCORED ){N}HANDOVER )"
)
CALL = r"((TURN DECLARED )?(TRUMP )?)"
AUCTION = r"SHUFFLED HAND (DEALT ){4}(TURN REDEALT SHUFFLED HAND (DEALT ){4})*(TURN BID )+CONTRACT "
EIGHT_HAND = (
    rf"({AUCTION}TURN TRUMP (DEALT ){{4}}(TRICK ({CALL}TURN PLAYED ){{4}}TOOK ){{8}}"
    r"SCORED SCORED HANDOVER )"
)


@cache
def played(kind: str, seats: int, options: str, seed: int) -> list[ParsedLine]:
    """A game by chance, as the last seat is told it."""
    chance = random.Random(seed)
    world = World()
    peers = [
        world.program(name) for name in ("ann", "bob", "cat", "dan", "eve", "fay", "gus")[:seats]
    ]
    peers[0].ok(f"open {kind} seats={seats} clock=0 {options}")
    for peer in peers[1:]:
        peer.ok("join t1")
        peer.ok("ready t1")
    peers[0].ok("start t1")
    while world.room().table.phase is Phase.PLAYING:
        match = world.room().table.match
        assert match is not None
        world.on_turn().ok(f"move {match.moves().any(chance.randrange).token} t1")
    peers[-1].take()
    peers[-1].hear("@s sync t1 from=0")
    peers[-1].read_on()
    read = [wire.parse(line) for line in peers[-1].take()]
    events = [event for event in read if event is not None and event.id is None]
    return events[[event.word for event in events].index("GAME") :]


def several(setting: tuple[str, int, str]) -> list[list[ParsedLine]]:
    """Some games of a setting."""
    return [played(*setting, seed) for seed in range(3)]


def order(game: list[ParsedLine]) -> str:
    """The words of a game, one after the other."""
    return "".join(f"{event.word} " for event in game if event.word in WORDS)


def of(game: list[ParsedLine], word: str, **fields: str) -> list[ParsedLine]:
    """The events of a word that have these fields."""
    return [each for each in game if each.word == word and fields.items() <= each.fields.items()]


@quotes("a `BID` for every seat, the dealer last, and for each card a `TRICK`", "D6", "O4")
@pytest.mark.parametrize("setting", GAMES["whist22"], ids=["seed", "bga"])
def test_the_order_of_whist_22(setting: tuple[str, int, str]) -> None:
    seats = str(setting[1])
    whole = rf"GAME SHUFFLED {WHIST_HAND}+REVEALED (RESULT ){{N}}GAMEOVER ".replace(
        "N}", seats + "}"
    )
    for game in several(setting):
        assert re.fullmatch(whole, order(game)), order(game)
        for hand in of(game, "HAND"):
            cards = 22
            assert int(hand.fields["size"]) * int(seats) + int(hand.fields["stock"]) == cards
        bids = [event.fields["seat"] for event in of(game, "BID")]
        dealers = [event.fields["dealer"] for event in of(game, "HAND")]
        assert bids[int(seats) - 1 :: int(seats)] == dealers
        assert of(game, "SCORED")[0].fields.keys() >= {"bid", "won", "total"}


@quotes("nobody passes. In that `TURN`, `bids` are those so far in the order of bidding", "D7")
def test_the_bids_of_whist_22() -> None:
    for game in several(WHIST):
        for turn in of(game, "TURN", act="bid"):
            bids, tricks = turn.fields["bids"], int(turn.fields["tricks"])
            if "legal" in turn.fields:
                legal = list(map(int, turn.fields["legal"].split(",")))
                made = [int(bid) for bid in bids.split(",") if bid]
                barred = {tricks - sum(made)} if len(made) == WHIST[1] - 1 else set()
                assert legal == [n for n in range(tricks + 1) if n not in barred]


@quotes("The Fool is `F0`, which loses to every card, or `F22`", "D8")
def test_the_fool_is_played_as_what_it_counts() -> None:
    fools = set()
    for game in several(WHIST):
        for event in of(game, "PLAYED"):
            fools |= {event.fields["cards"]} & {"F", "F0", "F22"}
            assert event.fields["kind"] in ("lead", "follow")
    assert fools == {"F0", "F22"}


@quotes("Then the tokens are `22` and `0`: the value of the card if it is the Fool", "D9")
def test_a_card_that_its_owner_does_not_see_is_played_by_22_and_0() -> None:
    asked = 0
    for game in several(BLIND):
        one = False
        for event in game:
            if event.word == "HAND":
                one = event.fields["size"] == "1"
            if event.word == "DEALT" and one:
                mine = event.fields["seat"] == str(BLIND[1])
                assert ("seen" in event.fields) is not mine
                assert "cards" not in event.fields
            if event.word == "TURN" and one and event.fields["act"] == "play":
                asked += "legal" in event.fields
                assert event.fields.get("legal", "22,0") == "22,0"
    assert asked


@quotes("Partners are in `GAME sides=1+3,2+4`: seats 1 and 3, seats 2 and 4", "D10")
def test_partners_are_named_by_their_seats() -> None:
    for setting in GAMES["twentyeight"]:
        for game in several(setting):
            assert game[0].fields["sides"] == "1+3,2+4"
            sides = {e.fields["side"] for e in of(game, "SCORED") + of(game, "CONTRACT")}
            assert sides <= {"1,3", "2,4"}
            assert game[[e.word for e in game].index("GAMEOVER")].fields["winners"] in sides


@quotes("a second `DEALT` for every seat; eight times `TRICK`", "D11", "O4")
@quotes("It comes before the `TURN` of the play that it is for", "D14")
@pytest.mark.parametrize("setting", GAMES["twentyeight"], ids=["seed", "pagat"])
def test_the_order_of_twenty_eight(setting: tuple[str, int, str]) -> None:
    whole = rf"GAME SHUFFLED {EIGHT_HAND}+REVEALED (RESULT ){{4}}GAMEOVER "
    for game in several(setting):
        assert re.fullmatch(whole, order(game)), order(game)


@quotes("While `shown=0` only `seat` is sent `suit` and `card`", "D14")
def test_the_trump_is_for_its_seat_until_it_is_shown() -> None:
    shown = 0
    for game in several(ASKED):
        for trump in of(game, "TRUMP"):
            mine = trump.fields["seat"] == "4"
            told = mine or trump.fields["shown"] == "1"
            assert ("suit" in trump.fields) is ("card" in trump.fields) is told
            shown += trump.fields["shown"] == "1"
    assert shown


@quotes("`size` of `HAND` is 4 and `stock` 16: the cards of each seat before the bidding", "D12")
@quotes("The card that lies face down counts among the `n` of its seat, and in `left`", "D12")
def test_the_size_of_a_hand_of_twenty_eight() -> None:
    for game in several(CALLED):
        assert {(e.fields["size"], e.fields["stock"]) for e in of(game, "HAND")} == {("4", "16")}
        assert {e.fields["n"] for e in of(game, "DEALT")} == {"4"}
        left = [int(e.fields["left"]) for e in of(game, "PLAYED")]
        assert left[:32] == [n for n in range(7, -1, -1) for _ in range(4)]


@quotes("With `call=optional` a player who cannot follow suit is asked `act=declare`", "D13")
def test_the_tokens_of_twenty_eight() -> None:
    tokens: dict[str, set[str]] = {}
    for setting in GAMES["twentyeight"]:
        for seed in range(6):
            for turn in of(played(*setting, seed), "TURN"):
                legal = turn.fields.get("legal", "").split(",")
                tokens.setdefault(turn.fields["act"], set()).update(filter(None, legal))
    assert tokens["declare"] == {"call", "no"}
    bids = {token for token in tokens["bid"] if not token.isdigit()}
    assert "pass" in bids <= {"pass", "redeal"}
    cards = re.compile(r"[789TJQKA][CDHS]")
    assert all(map(cards.fullmatch, tokens["trump"] | tokens["play"]))


@quotes("`bids` are the numbers so far, without the passes", "D13")
def test_the_bids_of_twenty_eight() -> None:
    for setting in GAMES["twentyeight"]:
        for game in several(setting):
            made: list[tuple[str, str]] = []
            for event in game:
                if event.word == "HAND":
                    made.clear()
                if event.word == "BID" and event.fields["bid"] != "pass":
                    made.append((event.fields["bid"], event.fields["seat"]))
                if event.word == "TURN" and event.fields["act"] == "bid":
                    assert event.fields["bids"] == ",".join(bid for bid, _ in made)
                    assert event.fields.get("holder") == (made[-1][1] if made else None)
                if event.word == "TURN" and event.fields["act"] == "play":
                    ours = {1: "1,3", 0: "2,4"}[int(event.fields["seat"]) % 2]
                    contract = [e for e in game[: game.index(event)] if e.word == "CONTRACT"][-1]
                    assert ("bid" in event.fields) is (contract.fields["side"] == ours)


@pytest.mark.parametrize("setting", [WHIST, CALLED], ids=["whist22", "twentyeight"])
@quotes("its `cards` are the seats, and the top one deals", "D6", "D11", "X13")
def test_the_first_shuffle_is_of_the_seats(setting: tuple[str, int, str]) -> None:
    for game in several(setting):
        first = of(game, "SHUFFLED")[0]
        assert first.fields["cards"] == ",".join(map(str, range(1, setting[1] + 1)))


@quotes("in Whist 22 `follow`, in Twenty-Eight `follow`, `trump` or `discard`", "D4")
def test_the_kinds_of_a_play() -> None:
    for name, others in (("whist22", {"follow"}), ("twentyeight", {"follow", "trump", "discard"})):
        kinds = {
            event.fields["kind"]
            for setting in GAMES[name]
            for game in several(setting)
            for event in of(game, "PLAYED")
        }
        assert kinds <= others | {"lead"}
