"""Section 10: what nobody else may see."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..check import cases, quotes
from ..connections import Program, answer
from ..fixtures import Connect, Open
from ..pool import new_name
from ..table_models import whole

_CARD = re.compile(r"\b(?:10|[2-9TJQKA])[SHDC]\b")


@quotes("no line shows anybody a card that its owner has not played or shown", "V1", "V2")
@cases("caps", ["", "json", "text", "json,text"])
def nobody_sees_a_card_of_another(table: Open, connect: Connect, caps: str) -> None:
    hello = f"hello 1 client=spy caps={caps}"
    played = table(seats=3, options="seed=9 options=limit:10,first_hand:4", watchers=1, hello=hello)
    plain = connect()
    plain.must(f"watch {played.on}")
    while (turn := played.turn()) is not None:
        mover = played.mover(turn)
        for client in played.everybody if turn.number("turn") % 3 == 1 else ():
            client.must(f"state {played.on}")
            client.must(f"sync {played.on} from=0")
            for command in ("hand", "last", "score", "table", "watchers"):
                client.ask(f"{command} {played.on}")
            for command in ("moves", "why 2", "move 2 turn=1", "move A+A+A+A+A"):
                refused = client is not mover and client.ask(command)
                assert not refused or not refused.ok
        mover.must(answer(turn))
    plain.must(f"sync {played.on} from=0")
    public = _cards(event.line for event in plain.on(played.on))
    for number, client in enumerate(played.everybody, 1):
        own = _cards(line for line in client.heard if "DEALT" in line or "EXCHANGED" in line)
        assert number > 3 or own
        assert _cards(client.heard) <= own | public


def _cards(lines: Iterable[str]) -> set[str]:
    """The cards in these lines. An unshuffled pack is ignored, because it reveals nothing."""
    told = (line for line in lines if "SHUFFLED" not in line)
    return {card.replace("10", "T") for line in told for card in _CARD.findall(line)}


@quotes("A field marked owner in the reference is sent only to the seat that its event names", "V1")
def owned_fields_go_to_their_owner_only(table: Open) -> None:
    played = table(seats=3, options="seed=4 options=limit:12", watchers=1)
    played.play()
    for seat, client in enumerate(played.everybody, 1):
        for event in client.on(played.on):
            mine = event.fields.get("seat") == str(seat)
            if event.word == "DEALT":
                assert ("cards" in event) == mine
            elif event.word == "EXCHANGED":
                assert ("got" in event) == ("gave" in event) == mine
            elif event.word == "TURN":
                assert event.mine == ("choose" in event) == mine
                if not mine:
                    assert set(event.fields) <= {"on", "seq", "turn", "seat", "act", "beat"}


@quotes("The hidden fields of a seat stay with the player who sat there at the time", "V2")
def a_stranger_on_a_seat_is_told_what_a_watcher_was(table: Open, connect: Connect) -> None:
    played = table(options="seed=9 options=limit:10,first_hand:4", watchers=1)
    played.play(turns=4)
    host, guest, watcher = played.everybody

    def again(client: Program) -> list[str]:
        client.must("ping")  # what happened meanwhile comes before it
        return whole(client, played.on)

    for client in (host, guest):
        client.must("abort")
    public = again(watcher)
    own = set(again(host)) - set(public)
    assert own
    guest.must("leave")
    stranger = connect()
    stranger.must(f"join {played.on} 2")
    for line in (f"state {played.on}", "swap 2"):
        host.must(line)
        assert again(stranger)[: len(public)] == public
        assert own <= set(again(host))


@quotes("A refusal depends only on the asker's own cards", "V3")
@cases("command", ["moves", "why 2", "move 2", "move A+A", "hand"])
def a_refusal_is_the_same_whatever_others_hold(connect: Connect, command: str) -> None:
    answers = set()
    ann, bob = connect(), connect()
    for seed in (1, 2, 3, 4, 5, 6):
        on = ann.must(f"open twentytwo seats=3 clock=0 seed={seed}")["on"]
        bob.must(f"watch {on}")
        ann.must("addbot")
        ann.must("start")
        refused = bob.ask(f"{command} {on}" if command != "why 2" else command)
        assert not refused.ok
        answers.add(refused.final.line.partition(" ")[2].replace(on, "tN"))
        ann.must("leave")
    assert len(answers) == 1, answers


@quotes("exist only for the people at them", "V4")
def a_private_table_does_not_exist_for_others(connect: Connect) -> None:
    ann, bob = connect(), connect()
    word = f"fox{new_name()}"
    on = ann.must(f"open twentytwo private={word}")["on"]
    assert on not in [row["on"] for row in bob.listing("tables")]
    for command in ("join", "watch", "state", "table", "score", "watchers", "invite x"):
        assert bob.ask(f"{command} {on}").code in ("NO_SUCH_TABLE", "NO_SUCH_USER")
    assert bob.ask(f"sync {on} from=0").code == "NO_SUCH_TABLE"
    assert bob.must(f"join {word}")["on"] == on
    assert on in [row["on"] for row in bob.listing("tables")]
    assert not any(word in line for line in bob.heard[:-3] if not line.startswith("@"))


@quotes("A name's token is sent only to its owner.", "V5")
def a_token_is_sent_to_its_owner_only(table: Open) -> None:
    played = table(watchers=1)
    played.play()
    for client in played.everybody:
        client.must("who")
        for other in played.everybody:
            if other is not client:
                assert not any(other.token in line for line in client.heard)
