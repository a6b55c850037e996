"""An operator at one of several servers reaches people and tables at the others."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from msgspec import json

from tests.host.test_news import account, at
from tests.kit.cluster import Place
from tests.kit.operators import HOUR, Operator
from tests.kit.simulated_bus import BusFaults
from twentytwo_server.facts import AdminAction
from twentytwo_server.host.cluster.other_servers import PATIENCE, AdminQuestion, AdminReply
from twentytwo_server.operator.actions.context import AdminAnswer
from twentytwo_server.store import Refused
from twentytwo_server.subjects import operators

pytestmark = pytest.mark.deadline(60)

BAD = BusFaults(lost=0.2, doubled=0.2, delay=300)


@dataclass
class Team:
    """An operator at each server of a place, which have heard of each other."""

    place: Place = field(default_factory=Place)

    def __post_init__(self) -> None:
        self.at = {node: Operator(self.place[node]) for node in self.place.names}
        self.place.advance(5_000)

    def does(self, node: str, command: str, **given: object) -> AdminAnswer:
        """The answer to a command at a server. Raises as the command does."""
        found: list[AdminAnswer] = []
        wrong: list[BaseException] = []
        asked = self.at[node].asks(command, **given)
        asked.addCallbacks(found.append, lambda failure: wrong.append(failure.value))
        for _ in range(200):
            if found or wrong:
                break
            self.place.advance(100)
        if wrong:
            raise wrong[0]
        return found[0]

    def journal(self) -> list[AdminAction]:
        """The entries of the journal of all servers."""
        found: list[AdminAction] = []
        self.place.store.admin_log(100, found.extend)
        return found


@pytest.mark.parametrize("faults", [BusFaults(), BAD])
def test_an_announcement_reaches_everybody_once(faults: BusFaults) -> None:
    place = Place(faults)
    team = Team(place)
    people = {node: at(place[node], f"p{node}") for node in "abc"}
    answer = team.does("a", "announce", text="Tea!")
    told = "told on 1 connection"
    assert answer.text == f"{told}; b: {told}; c: {told}"
    place.advance(5_000)
    for peer in people.values():
        notes = [event.text for event in peer.events() if event.word == "NOTE"]
        assert notes == ["The operator says: Tea!"]
    assert [entry.command for entry in team.journal()] == ["announce"]


def test_a_server_that_does_not_answer_is_named() -> None:
    team = Team()
    team.place.nats.cut("c", "a")
    answer = team.does("a", "announce", text="Tea!")
    assert answer.text.endswith("; c: the server c does not answer, and may have done it or not")


def test_somebody_at_another_server_is_kicked_there() -> None:
    team = Team()
    ann, bob = at(team.place["b"], "ann"), at(team.place["b"], "bob", "198.51.100.7")
    assert team.does("a", "kick", target="ann", why="tea").text == "1 closed"
    assert (ann.hung_up, bob.hung_up) == (True, False)
    assert ann.events()[-1].text == "The operator has ended this connection: tea"
    assert [entry.command for entry in team.journal()] == ["kick"]
    ann.drop()
    with pytest.raises(Refused, match="b: ann is not connected"):
        team.does("a", "kick", target="ann")
    with pytest.raises(Refused, match="nobody called zoe is here"):
        team.does("a", "kick", target="zoe")


def test_an_address_is_kicked_at_all_servers() -> None:
    team = Team()
    peers = [at(team.place[node], f"p{node}") for node in "abc"]
    text = team.does("a", "kick", target="203.0.113.7").text
    assert text == "1 closed; b: 1 closed; c: 1 closed"
    assert all(peer.hung_up for peer in peers)
    assert [entry.command for entry in team.journal()] == ["kick"]


def test_guests_at_other_servers_are_muted_by_their_names_and_banned_by_no_name() -> None:
    team = Team()
    ann = at(team.place["b"], "ann")
    assert team.does("a", "mute", name="ann", ms=HOUR).text.startswith("~ann is muted")
    team.place.advance(1)
    assert ann.err("shout :hello") == "FORBIDDEN"
    assert team.does("c", "unmute", name="ann").text == "~ann may talk again"
    with pytest.raises(Refused, match=r"b: ~ann is a guest, .* ban 203\.0\.113\.7"):
        team.does("a", "ban", target="ann", ms=HOUR)


def test_an_account_is_exported_and_erased_where_its_owner_is() -> None:
    team = Team()
    ann = account(team.place["b"], "ann")
    team.place.advance(1)
    found = json.decode(team.does("a", "export account", name="ann").text)
    assert (found["here"], found["address"]) == (True, "127.0.0.1")
    on = ann.ok("open twentytwo").fields["on"]
    with pytest.raises(Refused, match=f"b: ann has a seat at {on}"):
        team.does("a", "erase account", name="ann")
    ann.ok(f"leave {on}")
    assert team.does("a", "erase account", name="ann").text.startswith("ann is erased")
    assert ann.hung_up
    assert team.place["b"].host.people.exact("ann") is None


def test_the_people_at_other_servers_are_listed_with_their_server() -> None:
    team = Team()
    at(team.place["a"], "ann")
    bob = at(team.place["b"], "bob")
    team.place.advance(1_000)
    answer = team.does("a", "who")
    assert answer.text == "1 connected, 0 away, 1 at other servers"
    assert [(row["name"], row["server"], row["address"]) for row in answer.rows] == [
        ("~ann", "", "203.0.113.7"),
        (bob.name, "b", ""),
    ]


def test_a_table_is_closed_at_its_owner() -> None:
    team = Team()
    on = at(team.place["b"], "ann").ok("open twentytwo").fields["on"]
    team.place.advance(1_000)
    assert team.does("a", "close", table=on).text == f"{on} is closed"
    assert on not in team.place["b"].host.rooms


def test_a_drain_is_of_one_server_or_of_all() -> None:
    team = Team()
    table = team.place["b"].game(*(at(team.place["b"], name) for name in ("ann", "bob")))

    def draining() -> list[bool]:
        return [team.place[node].host.availability.draining for node in "abc"]

    team.does("b", "drain", ms=HOUR)
    assert draining() == [False, True, False]
    assert "b: the server goes on" in team.does("a", "drain", cancel="yes", all="yes").text
    assert draining() == [False, False, False]
    text = team.does("a", "drain", ms=HOUR, all="yes").text
    assert draining() == [True, True, True]
    assert "; b: 1 running game; then, or in 3600 s, the server stops" in text
    assert team.at["c"].stopped == 1
    team.does("b", "close", table=table)
    team.place.advance(1_000)
    assert [each.stopped for each in team.at.values()] == [1, 1, 1]


@pytest.mark.parametrize("data", [b"", b"\xff", b"[]"])
def test_a_wrong_question_does_nothing(data: bytes) -> None:
    team = Team()
    team.place.nodes["b"].bus.tell(operators("a"), data)
    team.place.advance(1)
    assert team.journal() == []


def test_a_question_that_comes_twice_is_carried_out_once() -> None:
    team = Team()
    ann = at(team.place["a"], "ann")
    question = json.encode(AdminQuestion("t", 1, "announce", {"text": "Tea!"}, True))
    for _ in range(2):
        team.place.nodes["b"].bus.tell(operators("a"), question)
        team.place.advance(1)
    assert ann.words().count("NOTE") == 1


def test_no_code_for_an_account_is_given_over_the_bus() -> None:
    team = Team()
    heard: list[bytes | None] = []
    for tag, command in enumerate(("invite", "reset account", "backup", "no such")):
        arguments = {"name": "ann", "ms": "1000", "n": "1", "file": "/tmp/x"}
        question = json.encode(AdminQuestion(str(tag), 1, command, arguments, True))
        team.place.nodes["b"].bus.ask(operators("a"), question, 1_000, heard.append)
    team.place.advance(2_000)
    replies = [json.decode(each, type=AdminReply) for each in heard if each is not None]
    assert [reply.text.partition(" is ")[2] for reply in replies] == ["not for other servers"] * 4
    assert not team.place["a"].host.invite_codes.unused


def test_a_server_without_operators_says_so() -> None:
    place = Place()
    operator = Operator(place["a"])
    place.advance(5_000)
    answers: list[AdminAnswer] = []
    operator.asks("announce", text="Tea!").addCallback(answers.append)
    place.advance(PATIENCE)
    assert answers[0].text == (
        "told on 0 connections; b: it takes no admin commands; c: it takes no admin commands"
    )
