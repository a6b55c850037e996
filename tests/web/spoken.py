"""The sentences of whole games as the terminal client says them with --plain, for the page.

    python -m tests.web.spoken

writes them anew to tests/web/spoken, one file for each game. Each line of a file belongs to the
line of the same number of the game: `text` is the sentence that the server sends with it, `said`
the sentence of the terminal client, if that differs; empty if it says nothing. The games are those
of protocol/vectors/fold, that of tests/client/game.txt, and one against bots.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tests.client.kit import GAME, HELLO, NAMED, hear
from tests.kit.hosts import World
from tests.protocol import fold
from twentytwo_client.core.conversation import Conversation
from twentytwo_client.core.updates import EventReceived
from twentytwo_client.display.look import Look, Suits
from twentytwo_client.display.rendering import Renderer
from twentytwo_client.terminal.narrator import Narrator
from twentytwo_protocol.voice import Voice

FOLDER = Path(__file__).parent / "spoken"
PLAIN = Look(suits=Suits.SPOKEN, unicode=True)


class Heard(list[str]):
    """A screen that keeps its lines."""

    write = list[str].append

    def ring(self) -> None:
        """Nothing is heard of the bell."""


def spoken(on: str, name: str, lines: list[str]) -> Iterator[dict[str, str]]:
    """The sentence of each line of a table, and what is said of it to the player of that name."""
    talk, heard = _seated(on, name), Heard()
    narrator = Narrator(talk, Renderer(PLAIN, lambda: None), heard, lambda: 0.0)
    for line in lines:
        heard.clear()
        text = ""
        for update in hear(talk, line):
            if isinstance(update, EventReceived):
                text = _text(update)
            narrator.tell(update)
        said = " ".join(heard)
        yield {"text": text} if said == text else {"text": text, "said": said}


def _seated(on: str, name: str) -> Conversation:
    talk = Conversation(name=name, client="test/1")
    talk.connected()
    hear(talk, HELLO, NAMED.replace("~bob", f"~{name}"))
    ask = talk.say(f"join {on}")
    hear(talk, f"@{ask.id} OK on={on} seat=1 seq=0")
    return talk


def _text(update: EventReceived) -> str:
    """The sentence that a server sends with an event; talk has none besides its own text."""
    event, table = update.event, update.table
    if table is None or event.word.text is not None:
        return ""
    names = {number: seat.name for number, seat in table.seats.items()}
    game = table.game.game if table.game else ""
    return Voice(names, table.me, game, known=table).sentence(event).replace("\n", "  ")


def games() -> Iterator[tuple[str, str, str, list[str]]]:
    """Every game: its name, the table, the viewer, the lines."""
    yield "twentytwo", "t7", "bob", GAME
    for name in ("twentysix", "whist22", "twentyeight", "evening-seat"):
        text = (fold.FOLDER / f"{name}.jsonl").read_text("utf-8")
        head, *rest = map(json.loads, text.splitlines())
        viewer = "ann" if name == "evening-seat" else fold.NAMES[head["me"] - 1]
        yield name, "t1", viewer, [each["line"] for each in rest]
    yield "practice", "t1", "ann", _practice()


def _practice() -> list[str]:
    """A game against bots, some of them with numbers."""
    world = World(dev=True)
    ann = world.program("ann")
    ann.ok("practice twentytwo bots=3 options=limit:10 seed=5")
    fold.play(world)
    return fold.sent(ann)


def files() -> dict[str, str]:
    """The text of every file, by its name."""
    return {
        f"{name}.jsonl": "".join(json.dumps(each) + "\n" for each in spoken(on, who, lines))
        for name, on, who, lines in games()
    }


def main() -> None:
    """Writes every file anew."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in files().items():
        (FOLDER / name).write_text(text, "utf-8")
        print(f"wrote {FOLDER / name}")


if __name__ == "__main__":
    main()
