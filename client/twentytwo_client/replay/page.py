"""A game as one self-contained page of HTML: without network, fonts or server.

The page contains the frames for the points of view that it was written for, and no others.
`page.js` shows them, `page.css` has the style, `page.html` the frame of the page. For paper, and
without scripts, it contains the whole game as text.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib import resources
from itertools import groupby
from string import Template

from twentytwo_protocol.schema import Event
from twentytwo_protocol.vocabulary import vocabulary
from twentytwo_protocol.voice import listed
from twentytwo_protocol.words.cardplay import Game_

from .frames import Eyes, Frame, frames

Patch = Mapping[str, object]
"""A frame, or the changes from the frame before. A key with the value None is removed."""

OPEN = -1
"""The number in the page of the point of view that sees all cards."""


class NotAReview(ValueError):
    """A text that is not a review of this game. The message says why."""


def page(
    events: Sequence[Event], seat: int | None = None, review: str = "", *, opened: bool = False
) -> str:
    """The page. Raises `ValueError` without a game, `NotAReview` for a review of another game.

    With a `seat` (0: a spectator) it contains the view of that seat. Otherwise it contains all
    views: the spectator's first, or, if `opened`, the one with all cards. `review` is the output of
    `review --json`.
    """
    game = next((event for event in events if isinstance(event, Game_)), None)
    if game is None:
        raise ValueError("no game begins there")
    eyes: list[Eyes] = [0, *range(1, game.players + 1), None] if seat is None else [seat]
    if opened and seat is None:
        eyes.insert(0, eyes.pop())
    pictures = list(frames(events, eyes))
    names = [each.name for each in pictures[-1].seats]
    title = vocabulary(game.game).title
    texts = _Texts()
    data: dict[str, object] = {
        "eyes": [{"key": _key(whose), "name": _named(whose, names)} for whose in eyes],
        "frames": list(_patches([_frame(picture, texts) for picture in pictures])),
        "texts": list(texts),
    }
    if review:
        data["review"] = _review(review, pictures, game.game)
    told = "\n".join(_text(pictures, seat))
    head = f"{escape(title)}: {escape(listed(names))}"
    return _written(head, escape(title), escape(listed(names)), _json(data), told)


def _key(whose: Eyes) -> int:
    return OPEN if whose is None else whose


def _named(whose: Eyes, names: Sequence[str]) -> str:
    if whose is None:
        return "All cards"
    return f"What {names[whose - 1]} saw" if whose else "What everybody saw"


class _Texts(dict[str, int]):
    """The index of each distinct text."""

    def __missing__(self, text: str) -> int:
        return self.setdefault(text, len(self))


def _frame(picture: Frame, texts: _Texts) -> Patch:
    """A frame in the form of the page. Text that is the same for all views is stored for the first
    only.
    """
    told = {
        str(_key(whose)): [texts[line] for line in said] for whose, said in picture.told.items()
    }
    first = next(iter(told))
    return {
        "hand": picture.hand,
        "trick": picture.trick,
        "seats": {
            str(number): {
                "name": seat.name,
                "cards": seat.cards,
                "total": seat.total,
                "tricks": seat.tricks,
                "out": seat.out,
                "bid": seat.bid,
                "moves": seat.moves,
            }
            for number, seat in enumerate(picture.seats, 1)
        },
        "plays": picture.plays,
        "takes": picture.takes,
        "hands": {str(seat): cards for seat, cards in picture.hands.items()},
        "told": {key: said for key, said in told.items() if key == first or said != told[first]},
    }


def _patches(frames: Sequence[Patch]) -> Iterator[Patch]:
    """Each frame as the change from the frame before: a JSON Merge Patch (RFC 7396)."""
    before: Patch = {}
    for frame in frames:
        yield _patch(before, frame)
        before = frame


def _patch(before: Patch, after: Patch) -> Patch:
    changed: dict[str, object] = {key: None for key in before if key not in after}
    for key, value in after.items():
        old = before.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            inner = _patch(old, value)
            if inner:
                changed[key] = inner
        elif key not in before or value != old:
            changed[key] = value
    return changed


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


# -------------------------------------------------------------------------------- the review


def _review(text: str, pictures: Sequence[Frame], game: str) -> Mapping[str, object]:
    """The chances and the marked moves of a review, by frame."""
    frames: dict[int, int] = {}
    for number, picture in enumerate(pictures):
        frames.setdefault(picture.turn, number)
    try:
        found = json.loads(text)
        if found["plays"] != game or len(found["seats"]) != len(pictures[-1].seats):
            raise NotAReview("this is the review of another game")
        curve = [
            {"frame": frames.get(point["turn"], 0), "chance": [float(c) for c in point["chance"]]}
            for point in sorted(found["curve"], key=lambda point: frames.get(point["turn"], 0))
        ]
        marks = [
            {
                "frame": frames.get(move["turn"], 0),
                "seat": int(move["seat"]),
                "mark": str(move["mark"]),
                "text": f"{str(move['mark']).capitalize()}: {move['why']}",
            }
            for move in found["moves"]
            if move["mark"]
        ]
    except (ValueError, KeyError, TypeError) as wrong:
        if isinstance(wrong, NotAReview):
            raise
        raise NotAReview("this is not what review --json prints") from None
    return {"curve": curve, "marks": marks}


# ---------------------------------------------------------------------------------- the page


def _text(pictures: Sequence[Frame], whose: Eyes) -> Iterator[str]:
    """The whole game in words, hand by hand."""
    for hand, of_it in groupby(pictures, key=lambda picture: picture.hand):
        yield f"<h2>{f'Hand {hand}' if hand else 'Before the first hand'}</h2>"
        for picture in of_it:
            yield from (f"<p>{escape(line)}</p>" for line in picture.told[whose])


def _part(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text("utf-8")


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _written(head: str, title: str, names: str, data: str, told: str) -> str:
    style, script = _part("page.css"), _part("page.js")
    return Template(_part("page.html")).substitute(
        allowed=f"default-src 'none'; style-src 'sha256-{_digest(style)}'; "
        f"script-src 'sha256-{_digest(script)}'; base-uri 'none'; form-action 'none'",
        head=head,
        style=style,
        title=title,
        names=names,
        told=told,
        # The first of these ends a script, even inside a string.
        data=data.replace("<", "\\u003c"),
        script=script,
    )
