"""Frequent words of records: the compression dictionary of links.

Links can only be read with the dictionary that made them, so it must never change. Words that are
missing from it make links longer, nothing else.
"""

from __future__ import annotations

__all__ = ["DICTIONARY"]

_OPTIONS = """
order=pagat call=optional must_trump=caller early_trump=no pass_out=no target=10 loss_limit=0
redeal_no_points=yes order=denexa call=mandatory must_trump=always redeal_no_points=no
max_players=8 decks=2 jokers=4 direction=cw first_dealer=draw first_hand=7 hand_size=loser_card
exchange=on heading=optional bar=best winner=bar straights=off straight_min=3 straight_max=0
straight_suited=no points=11/10 keep_cards=yes dead_cards=out limit=26 dealer=loser
dealer_tie=draw eliminated_deals=yes all_out=shared max_players=6 decks=1 jokers=0 limit=22
all_out=lowest max_players=12 decks=auto heading=mandatory bar=lead winner=set keep_cards=no
direction=ccw hand_size=fixed points=sequential dealer_tie=last_to_play eliminated_deals=no
all_out=runoff max_players=7 first_size=bga sequence=saw blind_one=yes start_score=14 hook=yes
fool=choice max_players=4 first_size=even sequence=bounce blind_one=no
"""

_MOVES = [
    "0 shuffle " + "+".join(map(str, range(1, 22))) + "+F",
    *(
        f"{seat} {act} "
        for act in ("pass pass", "trump", "declare", "bid", "exchange")
        for seat in (1, 2, 3, 4)
    ),
    *(
        f"{seat} play {rank}{suit}"
        for suit in "CDHS"
        for rank in "789TJQKA"
        for seat in (1, 2, 3, 4)
    ),
    *(f"{seat} play {rank}" for rank in "23456789TJQKA" for seat in (1, 2, 3, 4)),
    "0 shuffle " + "+".join(rank + suit for suit in "CDHS" for rank in "23456789TJQKA"),
]

_HEAD = """\
began 2026-
T00:00:00.000Z
ended 2026-
end last
end hands
end aborted
end resigned
result 1 1
result 2 2
result 3 3
result 4 4
name 1 ~
name 2 bot:hard
name 3 bot:steady
name 4 bot:easy
bot 2 hard/1
bot 3 steady/1
bot 4 easy/1
fair fd1 =
fair seed =
seed =
sealed 1
words -,-,-,-
end target
"""

_FIRST = """\
seats 3
seats 4
version 1
rules pagat
twentytwo-record 1
id g
game twenty
"""

DICTIONARY = "".join(
    [
        "\n".join(_MOVES),
        _HEAD,
        *(f"option {each.replace('=', ' ', 1)}\n" for each in _OPTIONS.split()),
        _FIRST,
    ]
).encode()
"""The dictionary. The most frequent words are at its end."""
