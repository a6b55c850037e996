"""Section 9: seeks and invitations."""

from __future__ import annotations

from ..check import alone, quotes
from ..fixtures import Connect
from ..pool import new_name


@alone  # others would answer the seek
@quotes("SOUGHT seek= name= game= players= rules=, with options= for options that differ", "Y2")
@quotes("accept seek=7 looks for the same as seek 7.", "Y2")
def a_seek_is_answered_by_its_number(connect: Connect) -> None:
    ann, bob, cat = connect(), connect(), connect()
    cat.must("follow lobby")
    number = ann.must("seek twentytwo players=2 options=limit:17")["seek"]
    sought = cat.until("SOUGHT")
    assert (sought["seek"], sought["name"], sought["players"]) == (number, ann.name, "2")
    assert sought["options"] == "limit:17"
    row = next(row for row in bob.must("seeks").rows if row["seek"] == number)
    keys = ("name", "game", "players", "rules", "options")
    assert [row[key] for key in keys] == [sought[key] for key in keys]
    bob.must(f"accept seek={number}")
    assert cat.until("UNSOUGHT")["seek"] == number
    tables = {client.until("NOTE")["table"] for client in (ann, bob)}
    assert len(tables) == 1
    for client in (ann, bob):
        assert client.until("GAME")["on"] in tables
    assert cat.ask(f"accept seek={number}").code == "NO_SUCH_SEEK"


@quotes("accept ann sits down there; decline ann sends ann DECLINED name= table= on me.", "Y3")
@quotes("invite bob sends bob INVITED by= game= on me, with the table=, and watch=open", "Y3")
def the_inviter_is_told(connect: Connect) -> None:
    ann, bob, cat = connect(), connect(), connect()
    on = ann.must(f"open twentytwo seats=3 private=fox{new_name()}")["on"]
    for guest in (bob, cat):
        ann.must(f"invite {guest.name}")
        invited = guest.until("INVITED")
        assert (invited["by"], invited["table"], invited["game"]) == (ann.name, on, "twentytwo")
        assert invited["watch"] == "open"
    assert bob.must(f"accept {ann.name}")["on"] == on
    cat.must(f"decline {ann.name}")
    declined = ann.until("DECLINED")
    assert (declined["on"], declined["name"], declined["table"]) == ("me", cat.name, on)
    ann.must(f"close {on}")
