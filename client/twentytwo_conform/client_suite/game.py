"""A small game of Twenty-Two for two, with thirteen cards of different ranks, so that every play is
one card.
"""

from __future__ import annotations

from collections.abc import Callable, Generator

from .lines import Fields

RANKS = "23456789TJQKA"
SIZE = 4
"""Number of cards in a hand."""

Question = Fields
Tell = Callable[..., object]
Game = Generator[Question, str, None]
"""A generator of questions to the client; it is sent the tokens of the answers."""


def points(rank: str) -> int:
    """The points of a last card."""
    return 11 if rank == "A" else 10 if rank in "TJQK" else int(rank)


def ranks(cards: list[str]) -> tuple[str, ...]:
    """The ranks of the cards, lowest first."""
    return tuple(sorted((card[0] for card in cards), key=RANKS.index))


def highest_first(cards: list[str]) -> tuple[str, ...]:
    """The cards in a server's order, highest first."""
    return tuple(sorted(cards, key=lambda card: -RANKS.index(card[0])))


def twenty_two(tell: Tell, me: int, target: int) -> Game:
    """The game up to GAMEOVER; each event is sent with `tell(word, **fields)`."""
    other = 3 - me
    tell(
        "GAME",
        game="twentytwo",
        id="g1",
        players=2,
        version=1,
        ruleshash="9c1f4a66b0de2f77a1c3e9d85b20f614",
        target=target,
    )
    totals = {1: 0, 2: 0}
    number, dealer = 0, other
    while max(totals.values()) < target:
        number += 1
        pack = [RANKS[(5 * at + 3 * number) % 13] + "SHDC"[(at + number) % 4] for at in range(13)]
        hands = {me: pack[:SIZE], other: pack[SIZE : 2 * SIZE]}
        stock = pack[2 * SIZE :]
        tell("HAND", no=number, dealer=dealer, size=SIZE, stock=len(stock))
        tell("DEALT", seat=me, n=SIZE, cards=highest_first(hands[me]))
        tell("DEALT", seat=other, n=SIZE)
        first = 3 - dealer
        for seat in (first, 3 - first):
            if seat == me:
                yield from _exchange(tell, me, hands[me], stock)
            else:
                tell("TURN", seat=other, act="exchange")
                tell("EXCHANGED", seat=other, n=0)
        yield from _tricks(tell, me, hands, first)
        last = {seat: hands[seat][0] for seat in (1, 2)}
        for seat in (first, 3 - first):
            tell("SHOWN", seat=seat, card=last[seat])
        loser = max(last, key=lambda seat: RANKS.index(last[seat][0]))
        lost = points(last[loser][0])
        totals[loser] += lost
        tell("SCORED", seat=loser, points=lost, total=totals[loser], card=last[loser])
        if totals[loser] >= target:
            tell("OUT", seat=loser, total=totals[loser])
        tell("HANDOVER", no=number, losers=loser, totals=f"{totals[1]},{totals[2]}")
        dealer = loser
    winner = min(totals, key=lambda seat: totals[seat])
    tell("RESULT", seat=winner, place=1, total=totals[winner], wins=int(winner == me))
    tell("RESULT", seat=3 - winner, place=2, total=totals[3 - winner], wins=int(winner != me))
    tell("GAMEOVER", winners=winner, why="last")


def _exchange(tell: Tell, me: int, hand: list[str], stock: list[str]) -> Game:
    token = yield {
        "seat": me,
        "act": "exchange",
        "choose": "subset",
        "min": 0,
        "max": SIZE,
        "cards": highest_first(hand),
        "default": "-",
    }
    gave = [card for card in hand if card[0] in token.replace("+", "")] if token != "-" else []
    got = [stock.pop() for _ in gave]
    for card in gave:
        hand.remove(card)
    hand.extend(got)
    if gave:
        secret = {"gave": highest_first(gave), "got": highest_first(got)}
        tell("EXCHANGED", seat=me, n=len(gave), **secret)
    else:
        tell("EXCHANGED", seat=me, n=0)


def _tricks(tell: Tell, me: int, hands: dict[int, list[str]], leader: int) -> Game:
    for trick in range(1, SIZE):
        tell("TRICK", trick=trick, seat=leader)
        best, best_seat = "", leader
        for seat in (leader, 3 - leader):
            mine = ranks(hands[seat])
            beating = [rank for rank in mine if RANKS.index(rank) >= RANKS.index(best or "2")]
            legal = tuple(dict.fromkeys([mine[0], *beating])) if best else mine
            beat: Question = {"beat": best} if best else {}
            if seat == me:
                token = yield {
                    "seat": me,
                    "act": "play",
                    **beat,
                    "choose": "one",
                    "nlegal": len(legal),
                    "legal": legal,
                    "default": legal[0],
                    "hand": highest_first(hands[me]),
                }
            else:
                tell("TURN", seat=seat, act="play", **beat)
                token = legal[0]
            card = next(card for card in hands[seat] if card[0] == token)
            hands[seat].remove(card)
            takes = not best or RANKS.index(token) >= RANKS.index(best)
            kind = ("beat" if takes else "low") if best else "lead"
            if takes:
                best, best_seat, winning = token, seat, card
            tell("PLAYED", seat=seat, cards=card, kind=kind, left=len(hands[seat]))
        tell("TOOK", seat=best_seat, trick=trick, cards=winning)
        leader = best_seat
