"""The house as it is built: `python -m tests.docs.house` draws the picture of docs/tour.md.

A room stands on the storey above the highest room that it imports; rooms of one storey do not
import each other. It is drawn from the imports themselves, so that it cannot flatter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import grimp

PACKAGES = ("twentytwo_protocol", "twentytwo_server", "twentytwo_client", "twentytwo_conform")
DRAWN = (
    ("protocol", "twentytwo_protocol"),
    ("server", "twentytwo_server"),
    ("server.host", "twentytwo_server.host"),
    ("server.host.commands", "twentytwo_server.host.commands"),
    ("client", "twentytwo_client"),
    ("conform", "twentytwo_conform"),
)
"""What is drawn, and how it is called in the tour."""
WIDTH = 96


@cache
def graph() -> grimp.ImportGraph:
    """Which module imports which."""
    return grimp.build_graph(*PACKAGES)


def below(package: str) -> Mapping[str, set[str]]:
    """The rooms of a package, each with those that it imports from."""
    rooms = graph().find_children(package)

    def room_of(module: str) -> str | None:
        return next((r for r in rooms if module == r or module.startswith(f"{r}.")), None)

    found: dict[str, set[str]] = {room: set() for room in rooms}
    for module in graph().modules:
        room = room_of(module)
        if room is not None:
            used = {room_of(each) for each in graph().find_modules_directly_imported_by(module)}
            found[room] |= {each for each in used if each is not None and each != room}
    return found


def storeys(package: str) -> list[list[str]]:
    """The rooms of a package by storey, the highest first. Raises `ValueError` for a circle."""
    rooms = below(package)
    height: dict[str, int] = {}
    while len(height) < len(rooms):
        ready = [r for r, used in rooms.items() if r not in height and used <= height.keys()]
        if not ready:
            raise ValueError(f"a circle among {sorted(rooms.keys() - height.keys())}")
        for room in ready:
            height[room] = 1 + max((height[each] for each in rooms[room]), default=-1)
    top = max(height.values(), default=-1)
    return [sorted(r for r, h in height.items() if h == level) for level in range(top, -1, -1)]


def drawn(name: str, package: str) -> Iterator[str]:
    """The storeys of a package, a line each or more; a room with rooms of its own ends in `/`."""
    yield name
    for rooms in storeys(package):
        line = "   "
        for room in rooms:
            word = room.rpartition(".")[2] + ("/" if graph().find_children(room) else "")
            if len(line) + 2 + len(word) > WIDTH:
                yield line
                line = "   "
            line += f"  {word}"
        yield line


def picture() -> str:
    """All that is drawn."""
    return "\n\n".join("\n".join(drawn(name, package)) for name, package in DRAWN)


if __name__ == "__main__":
    print(picture())
