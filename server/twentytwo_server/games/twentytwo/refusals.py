"""What a person reads when a move is refused: the rule, and a move that would do."""

from __future__ import annotations

from collections.abc import Iterable

from twentytwo_protocol.cards import JOKER
from twentytwo_protocol.voice import listed, plural

from ..game import Illegal
from . import following, leading
from .hands import JOKERS, Cards, Ranks, letters, ranks, tokens
from .rules import TwentyTwoRules


def written(words: Iterable[str]) -> str:
    """Cards as people type them: `Q 10`, `joker 8`."""
    return " ".join("joker" if word == "X" else word.replace("T", "10") for word in words)


def spelled(of: Ranks) -> str:
    """Ranks as people type them."""
    return written(letters(of))


def not_held(word: str, hand: Cards) -> Illegal:
    """A card is named that is not in the hand, or not so often."""
    held = tokens(hand)
    count = sum(word in (card, card[0]) for card in held)
    same = dict.fromkeys(card for card in held if card[0] == word[:1] != JOKER)
    if same and not count:
        # Suits do not matter, so a card of that rank will do.
        have = listed(written((card,)) for card in same)
        return Illegal("", f"You hold {have}, not {written((word,))}: type {written(word[:1])}.")
    has = f"Your cards: {spelled(ranks(hand))}."
    if word == JOKER and not count:
        return Illegal("", f"You hold no joker. {has}")
    fact = f"You hold only {count} of" if count else "You do not hold"
    return Illegal("", f"{fact} {written((word,))}. {has}")


def wrong_act(act: str) -> Illegal:
    """A deed answers another question than the one asked."""
    return Illegal("", f"Now is the time to {act}.")


def too_many(named: int, most: int) -> Illegal:
    """More cards are to be exchanged than the hand or the stock has."""
    left = f"only {most} can be" if most else "none can be"
    return Illegal(
        "TOO_MANY",
        f"You cannot exchange {plural(named, 'card')}: {left}. Choose fewer, or keep all.",
    )


def joker_rank(play: Ranks) -> Illegal:
    """A joker is said to take another rank than it does."""
    takes = spelled(following.reading(play)[:1])
    as_what = "an ace" if play[-1] == JOKERS else f"{takes}, the highest card beside it"
    return Illegal("JOKER_RANK", f"The joker counts as {as_what}. Play {spelled(play)}.")


def lead(reason: str, hand: Cards, play: Ranks, rules: TwentyTwoRules) -> Illegal:
    """Why a lead is refused."""
    why = {
        "EMPTY": "Lead at least one card",
        "KEEP_ONE": "You must keep at least one card",
        "JOKER_ALONE": "A joker goes only with an ordinary card",
        "SAME_RANK": f"{spelled(play)} are not all of one rank{_or_straight(rules)}",
        "STRAIGHT_TOO_SHORT": f"A straight has at least {rules.straight_min} cards",
        "STRAIGHT_TOO_LONG": f"A straight has at most {rules.straight_max} cards",
    }[reason]
    return Illegal(
        reason, f"{why}. You may lead {spelled(_lead_like(hand, play, rules))}, for example."
    )


def _or_straight(rules: TwentyTwoRules) -> str:
    if rules.straights == "off":
        return ""
    return ", nor a straight" + (" of one suit" if rules.straight_suited == "yes" else "")


def _lead_like(hand: Cards, play: Ranks, rules: TwentyTwoRules) -> Ranks:
    """A legal lead, of the ranks that were tried if there is one."""
    every = list(leading.leads(hand, rules))
    return max(every, key=lambda lead: (lead[-1:] in play and len(lead) <= len(play), len(lead)))


def follow(reason: str, held: Ranks, bar: Ranks, play: Ranks, rules: TwentyTwoRules) -> Illegal:
    """Why a play to a trick is refused."""
    must = rules.heading == "mandatory"
    would = next(following.covering(held, bar), b"") if following.can_cover(held, bar) else b""
    low = spelled(following.lowest(held, len(bar)))
    if reason == "WRONG_COUNT":
        count = plural(len(bar), "card")
        first = spelled(next(following.follows(held, bar, must)))
        return Illegal(reason, f"You cannot play {_play(play)}: play {count}, for example {first}.")
    if reason == "JOKER_ALONE":
        first = spelled(next(following.follows(held, bar, must)))
        return Illegal(
            reason, f"A joker goes only with an ordinary card. Play {first}, for example."
        )
    head = f"You cannot play {spelled(play)}: {spelled(bar)} {_is(bar)} the play to beat"
    if not would:
        return Illegal(reason, f"{head}, and you cannot, so throw your lowest: {low}.")
    if must:
        return Illegal(reason, f"{head}, and you can, so you must: {spelled(would)}, for example.")
    return Illegal(reason, f"{head}. Equal or beat it card for card, or throw your lowest: {low}.")


def _play(play: Ranks) -> str:
    return spelled(play) or "nothing"


def _is(bar: Ranks) -> str:
    return "is" if len(bar) == 1 else "are"
