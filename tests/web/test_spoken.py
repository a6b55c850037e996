"""The page says what the terminal client says with --plain."""

from __future__ import annotations

import json
import re

import pytest

from tests.kit.browser import BROWSER, MISSING
from tests.web import spoken
from tests.web.browser import Page

TOLD = """(async (games) => {
  const [{ Story }, { aloud }, { read }] = await Promise.all(
    ["story", "spoken", "sdk/lines"].map((name) => import(`/${name}.js`)));
  return games.map(([name, lines]) => {
    const story = new Story();
    story.name = `~${name}`;
    return lines.map(([line, text]) => {
      const event = read(line);
      event.text ??= text;
      if (event.ev === "TURN") return story.saidOf(text);
      const last = story.sentences.at(-1)?.id ?? 0;
      story.see(event);
      const told = story.sentences.filter(({ id }) => id > last);
      return told.map(({ parts }) => aloud(parts)).join(" ");
    });
  });
})"""
"""The sentences of the page for each event of some games: in the log, and above the hand."""
TO_TYPE = re.compile(r' \("exchange [^)]*\)| rematch plays .*')
"""The parts of sentences for people who type."""
ELSEWHERE = {"COMMITTED", "SEEDED", "UNSEAL", "SHUFFLED", "REVEALED"}
"""The page tells of the shuffle when it is asked."""


def test_the_sentences_are_those_of_the_terminal_client() -> None:
    for name, text in spoken.files().items():
        kept = (spoken.FOLDER / name).read_text("utf-8")
        assert kept == text, "python -m tests.web.spoken writes them anew"


@pytest.mark.skipif(BROWSER is None, reason=MISSING)
def test_the_page_says_of_a_game_what_the_terminal_client_says(idle: Page) -> None:
    games, expected = [], []
    for name, _, viewer, lines in spoken.games():
        kept = (spoken.FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
        told = [(line, json.loads(each)) for line, each in zip(lines, kept, strict=True)]
        games.append((viewer, [(line, each["text"]) for line, each in told]))
        expected += [
            "" if line.split()[0] in ELSEWHERE else TO_TYPE.sub("", each.get("said", each["text"]))
            for line, each in told
        ]
    found = [said for game in idle.run(f"{TOLD}({json.dumps(games)})") for said in game]
    # The page adds no full stop to words of people.
    pairs = [(one, other) for one, other in zip(found, expected, strict=True) if one != other]
    wrong = [f"{one!r} is not {other!r}" for one, other in pairs if f"{one}." != other]
    assert wrong == [], "\n".join(wrong)
