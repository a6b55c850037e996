"""The reference bot in JSON, where the server speaks it."""

from __future__ import annotations

import json
import sys

from tests.client_suite.reference import Bot, Fields


def plain(value: object) -> str:
    """A value as it stands in a field."""
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(int(value)) if isinstance(value, bool) else str(value)


class JsonBot(Bot):
    """Asks for JSON, reads it, and sends its moves as objects."""

    json = False

    def say(self, command: str) -> None:
        if command.startswith("hello"):
            self.json = False
        verb, *words = command.replace("caps=text", "caps=json").split(" ")
        if verb != "move" or not self.json:
            super().say(" ".join([verb, *words]))
            return
        token, turn, table = (word.rpartition("=")[2] for word in words)
        id = f"j{turn}.{len(self.sent)}"
        self.sent[id] = command
        line = {"verb": verb, "re": id, "token": token, "turn": int(turn), "table": table}
        self.stream.write(json.dumps(line).encode() + b"\n")
        self.stream.flush()

    def split(self, line: str) -> tuple[str | None, str, Fields]:
        if not line.startswith("{"):
            return super().split(line)
        found = json.loads(line)
        fields = {key: plain(value) for key, value in found.items() if key != "text"}
        return fields.pop("re", None), fields.pop("ev"), fields

    def ok(self, verb: str, command: str, fields: Fields) -> None:
        if verb == "hello":
            self.json = "json" in fields["caps"].split(",")
        super().ok(verb, command, fields)


if __name__ == "__main__":
    JsonBot(*sys.argv[1:]).run()
