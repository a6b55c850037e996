"""The reference bot, but for this: it plays only a game whose options the server has told it."""

from __future__ import annotations

import sys

from tests.client_suite.reference import Bot, Fields


class Learner(Bot):
    """Asks what games there are, and by which rules, before it asks for a table."""

    learnt: set[str] | frozenset[str] = frozenset()

    def hear(self, line: str) -> None:
        _, word, fields = self.split(line)
        if line.startswith("@") and word in ("GAME", "PRESET", "RULE", "VERB"):
            self.learnt |= {f"{word} {fields.get('game', fields.get('name'))}"}
        super().hear(line)

    def ok(self, verb: str, command: str, fields: Fields) -> None:
        if verb == "guest":
            self.say("describe verbs move")
            self.say("describe games")
        if verb == "describe" and command.endswith("games"):
            wanted = {"GAME twentytwo", "PRESET twentytwo", "RULE twentytwo", "VERB move"}
            assert wanted <= self.learnt, f"of {sorted(wanted)} only {sorted(self.learnt)} is told"
        super().ok(verb, command, fields)


if __name__ == "__main__":
    Learner(*sys.argv[1:]).run()
