"""The sentences for refused moves: the rule, and a legal move."""

from __future__ import annotations

from collections.abc import Iterable

from twentytwo_protocol.cards import JOKER
from twentytwo_protocol.voice import listed, plural

from ..game import Illegal
from . import following, leading
from .hands import JOKERS, ONE, Cards, Ranks, letters, ranks, tokens
from .rules import TwentyTwoRules


def written(words: Iterable[str]) -> str:
    """Cards as people type them: `Q 10`, `joker 8`."""
    return " ".join("joker" if word == "X" else word.replace("T", "10") for word in words)


def spelled(of: Ranks) -> str:
    """Ranks as people type them."""
    return written(letters(of))


OFTEN = {1: "once", 2: "twice"}


def not_held(word: str, hand: Cards) -> Illegal:
    """The refusal of a named card that is not in the hand, or not so often."""
    held = tokens(hand)
    count = sum(word in (card, card[0]) for card in held)
    same = dict.fromkeys(card for card in held if card[0] == word[:1] != JOKER)
    if same and not count:
        # Suits do not matter, so any card of that rank will do.
        have = listed(written((card,)) for card in same)
        return Illegal("", f"You hold {have}, not {written((word,))}: type {written(word[:1])}.")
    has = f"Your cards: {spelled(ranks(hand))}."
    if word == JOKER:
        fact = f"You hold only {plural(count, 'joker')}" if count else "You hold no joker"
    elif count:
        fact = f"You hold {written((word,))} only {OFTEN.get(count, f'{count} times')}"
    else:
        fact = f"You do not hold {written((word,))}"
    return Illegal("", f"{fact}. {has}")


def too_many(named: int, most: int) -> Illegal:
    """The refusal of an exchange with more cards than the hand or the stock has."""
    left = f"only {most} can be" if most else "none can be"
    return Illegal(
        "TOO_MANY",
        f"You cannot exchange {plural(named, 'card')}: {left}.",
        "Choose fewer, or keep all.",
    )


def joker_rank(play: Ranks) -> Illegal:
    """The refusal of a joker that is claimed to have a rank that it does not take."""
    takes = spelled(following.reading(play)[:1])
    as_what = "an ace" if play[-1] == JOKERS else f"{takes}, the highest card beside it"
    return Illegal("JOKER_RANK", f"The joker counts as {as_what}.", f"Play {spelled(play)}.")


COMPANY = "A joker can only be played with an ordinary card, as one more of its rank"
"""The reason why a joker may not be played without an ordinary card."""


def lead(
    reason: str, hand: Cards, play: Ranks, rules: TwentyTwoRules, claims: Iterable[int] = ()
) -> Illegal:
    """The refusal of a lead; `claims` are the ranks that the player claimed for its jokers."""
    why = {
        "EMPTY": "Lead at least one card",
        "KEEP_ONE": "You must keep at least one card",
        "JOKER_ALONE": COMPANY,
        "SAME_RANK": f"{spelled(play)} are not all of one rank{_or_straight(rules)}",
        "STRAIGHT_TOO_SHORT": f"A straight has at least {rules.straight_min} cards",
        "STRAIGHT_TOO_LONG": f"A straight has at most {rules.straight_max} cards",
    }[reason]
    like = spelled(_lead_like(hand, play + bytes(claims), rules))
    return Illegal(reason, f"{why}.", f"You may lead {like}, for example.")


def _or_straight(rules: TwentyTwoRules) -> str:
    if rules.straights == "off":
        return ""
    return ", nor a straight" + (" of one suit" if rules.straight_suited == "yes" else "")


def _lead_like(hand: Cards, play: Ranks, rules: TwentyTwoRules) -> Ranks:
    """A legal lead similar to an illegal one: with its ranks and a joker, if possible."""
    every, joker = list(leading.leads(hand, rules)), play[:1] == ONE[JOKERS]
    return max(
        every,
        key=lambda lead: (
            lead[-1:] in play and len(lead) <= len(play),
            joker and lead[0] == JOKERS,
            len(lead),
        ),
    )


def follow(reason: str, held: Ranks, bar: Ranks, play: Ranks, rules: TwentyTwoRules) -> Illegal:
    """The refusal of a play to a trick."""
    must = rules.heading == "mandatory"
    would = next(following.covering(held, bar), b"") if following.can_cover(held, bar) else b""
    low = spelled(following.lowest(held, len(bar)))
    if reason == "WRONG_COUNT":
        count = plural(len(bar), "card")
        first = next(following.follows(held, bar, must))
        return Illegal(reason, f"You cannot play {_play(play)}: play {count}.", _may_play(first))
    if reason == "JOKER_ALONE":
        every = [*following.follows(held, bar, must)]
        like = next((play for play in every if play[0] == JOKERS), every[0])
        one = ", and you must play one card" if len(bar) == 1 else ""
        return Illegal(reason, f"{COMPANY}{one}.", _may_play(like))
    head = f"You cannot play {spelled(play)}: {spelled(bar)} {_is(bar)} the play to beat"
    if not would:
        return Illegal(
            reason, f"{head}, and you cannot equal or beat it, so throw your lowest: {low}."
        )
    if must:
        return Illegal(reason, f"{head}. You can equal or beat it, so you must.", _may_play(would))
    return Illegal(reason, f"{head}. Equal or beat it card for card, or throw your lowest: {low}.")


def _may_play(like: Ranks) -> str:
    return f"You may play {spelled(like)}, for example."


def _play(play: Ranks) -> str:
    return spelled(play) or "nothing"


def _is(bar: Ranks) -> str:
    return "is" if len(bar) == 1 else "are"
