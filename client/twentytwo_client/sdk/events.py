"""The class of every event, by its word on the wire: `case events.Played(seat=seat):`."""

from twentytwo_protocol.games import Declared, Redealt, Trump
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.accounts import Rated
from twentytwo_protocol.words.cardplay import (
    Aborted,
    Answered,
    Clock,
    Continued,
    Contract,
    Dealt,
    Drew,
    Exchanged,
    Gameover,
    Handover,
    Out,
    Paused,
    Played,
    Result,
    Scored,
    Shown,
    Timeout,
    Took,
    Trick,
    Turn,
    Unpaused,
    Vote,
)
from twentytwo_protocol.words.cardplay import Bid_ as Bid
from twentytwo_protocol.words.cardplay import Game_ as Game
from twentytwo_protocol.words.cardplay import Hand_ as Hand
from twentytwo_protocol.words.connection import Bye, Gap, Note, Warn
from twentytwo_protocol.words.connection import Ping_ as Ping
from twentytwo_protocol.words.daily import Finished
from twentytwo_protocol.words.duplicate import Compared
from twentytwo_protocol.words.fairness import (
    Calledoff,
    Committed,
    Revealed,
    Seeded,
    Shuffled,
    Unseal,
)
from twentytwo_protocol.words.lessons import Lesson
from twentytwo_protocol.words.lobby import (
    Changed,
    Closed,
    Offline,
    Online,
    Opened,
    Sought,
    Unsought,
)
from twentytwo_protocol.words.seating import Host_ as Host
from twentytwo_protocol.words.seating import (
    Joined,
    Left,
    Presence,
    Renamed,
    Shut,
    Swapped,
    Watching,
)
from twentytwo_protocol.words.seating import Option_ as Option
from twentytwo_protocol.words.seating import Ready_ as Ready
from twentytwo_protocol.words.talk import Declined, Invited, Kibitzed, Said, Shouted, Told

__all__ = [
    "Aborted",
    "Answered",
    "Bid",
    "Bye",
    "Calledoff",
    "Changed",
    "Clock",
    "Closed",
    "Committed",
    "Compared",
    "Continued",
    "Contract",
    "Dealt",
    "Declared",
    "Declined",
    "Drew",
    "Event",
    "Exchanged",
    "Finished",
    "Game",
    "Gameover",
    "Gap",
    "Hand",
    "Handover",
    "Host",
    "Invited",
    "Joined",
    "Kibitzed",
    "Left",
    "Lesson",
    "Note",
    "Offline",
    "Online",
    "Opened",
    "Option",
    "Out",
    "Paused",
    "Ping",
    "Played",
    "Presence",
    "Rated",
    "Ready",
    "Redealt",
    "Renamed",
    "Result",
    "Revealed",
    "Said",
    "Scored",
    "Seeded",
    "Shouted",
    "Shown",
    "Shuffled",
    "Shut",
    "Sought",
    "Swapped",
    "Timeout",
    "Told",
    "Took",
    "Trick",
    "Trump",
    "Turn",
    "Unpaused",
    "Unseal",
    "Unsought",
    "Vote",
    "Warn",
    "Watching",
]
