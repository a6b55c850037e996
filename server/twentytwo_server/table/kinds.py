"""The kinds of tables, and what sets each apart: declared here once, and asked for everywhere.

A table is of one kind for as long as it stands. It is not stored: it follows from the settings that
are (`table.Settings.kind`).
"""

from __future__ import annotations

from twentytwo_protocol.value import Value


class TableKind(Value):
    """A kind of table, as the answers to what is asked about it.

    `rated`: its games count for ratings. `secluded`: nobody finds it who was not told of it.
    `practice`: somebody plays there against bots alone, for nothing: hints are given, the end of a
    hand is explained, and the table is left for the next of such. `undoable`: moves can be taken
    back. `taught`: a lesson says what to play, and its games are not looked up later. `once`: one
    game is played, and no other after it. `paired`: another table is dealt the same.
    `own_deals`: nobody else is dealt the same, so they can be told as soon as a game is over.
    `late_players`: during a game somebody may take over the seat of a player who has left it.
    """

    rated: bool = False
    secluded: bool = False
    practice: bool = False
    undoable: bool = False
    taught: bool = False
    once: bool = False
    paired: bool = False
    own_deals: bool = True
    late_players: bool = False


USUAL = TableKind(late_players=True)
RATED = TableKind(rated=True)
PRACTICE = TableKind(secluded=True, practice=True, undoable=True, late_players=True)
LESSON = TableKind(secluded=True, practice=True, taught=True)
DAILY = TableKind(secluded=True, once=True, own_deals=False)
PAIR = TableKind(paired=True, own_deals=False)
