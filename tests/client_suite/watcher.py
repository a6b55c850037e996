"""The reference bot as somebody who only watches: it sits down nowhere, and is asked nothing."""

from __future__ import annotations

import sys

from tests.client_suite.reference import Bot, Fields


class Watcher(Bot):
    """Watches the first table that is listed, up to the end of the game."""

    def ok(self, verb: str, command: str, fields: Fields) -> None:
        if verb == "tables" and "next" not in fields:
            self.say(f"watch {self.table or 't7'}")
        elif verb == "watch":
            self.seqs[fields["on"]] = int(fields["seq"])
            self.say(f"state {fields['on']}")
        else:
            super().ok(verb, command, fields)

    def event(self, word: str, fields: Fields) -> None:
        super().event(word, fields)
        if word == "GAP":
            self.say(f"state {fields['on']}")


if __name__ == "__main__":
    Watcher(*sys.argv[1:]).run()
