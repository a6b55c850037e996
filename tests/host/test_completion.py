"""Completions at the server's own prompt."""

from __future__ import annotations

from tests.kit.hosts import Peer, World


def offered(world: World, peer: Peer, text: str) -> list[str]:
    """The whole lines that Tab would make of a text."""
    found = world.commands.completions(peer.session, text)
    return [text[: len(text) - len(end)] + instead for end, instead in found]


def test_commands_are_offered_by_the_phase_of_the_table() -> None:
    world = World()
    ann, bob = world.person("ann"), world.person("bob")
    assert offered(world, ann, "")[:2] == ["practice", "tables"]
    assert offered(world, ann, "whoa") == ["whoami"]
    ann.say("open seats=2")
    assert offered(world, ann, "")[:2] == ["ready", "start"]
    assert offered(world, bob, "")[:2] == ["practice", "tables"]


def test_cards_are_offered_to_the_person_who_is_asked_and_to_nobody_else() -> None:
    world = World()
    ann, bob, cat = world.program("ann"), world.program("bob"), world.program("cat")
    on = world.game(ann, bob)
    cat.ok(f"watch {on}")
    asked = world.on_turn()
    (other,) = {ann.name, bob.name} - {asked.name}
    match = world.room(on).table.match
    assert match is not None and match.question is not None
    mine = {f"exchange {card.lower()}" for card in match.question.cards or ()}
    assert set(offered(world, asked, "exchange ")) == mine != set()
    for peer in (cat, next(p for p in (ann, bob) if p.name == other)):
        assert offered(world, peer, "exchange ") == []
        assert offered(world, peer, "")[:2] == ["hand", "score"]
