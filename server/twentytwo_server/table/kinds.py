"""The kinds of tables and the differences between them, all declared here.

The kind of a table never changes. It is not stored, but computed from the stored settings
(`table.Settings.kind`).
"""

from __future__ import annotations

from twentytwo_protocol.value import Value


class TableKind(Value):
    """The properties of a kind of table.

    `rated`: its games count for ratings. `secluded`: it is in no list. `practice`: one person plays
    against bots without consequences; hints are given, the end of a hand is explained, and the
    person's next practice table replaces it. `undoable`: moves can be undone. `taught`: a lesson
    tells which moves to make, and its games cannot be looked up later. `once`: only one game is
    played. `paired`: another table gets the same deals. `own_deals`: nobody else gets the same
    deals, so they can be revealed as soon as a game is over. `late_players`: during a game other
    people may take over the seats of players who left.
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


USUAL_KIND = TableKind(late_players=True)
RATED_KIND = TableKind(rated=True)
PRACTICE_KIND = TableKind(secluded=True, practice=True, undoable=True, late_players=True)
LESSON_KIND = TableKind(secluded=True, practice=True, taught=True)
DAILY_KIND = TableKind(secluded=True, once=True, own_deals=False)
PAIR_KIND = TableKind(paired=True, own_deals=False)
