"""The menu of `twentytwo` without arguments, for a person in a terminal.

Words and their first letters choose. Enter starts the lesson, or practice for a person who has
practised before. There are no numbers, because a number is a card in this game.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Collection, Iterator, Sequence

from twentytwo_protocol.value import Value
from twentytwo_protocol.vocabulary import DEFAULT_GAME, VOCABULARIES


class MenuItem(Value):
    """A menu item: the word to type, its description, its command line, its further questions.

    In `command` a number stands for the answer to that question. An empty answer is omitted.
    """

    word: str
    does: str
    command: tuple[str, ...]
    asks: tuple[str, ...] = ()


ASK_GAME, ASK_SERVER, ASK_FILE = "game", "server", "file"
PROMPTS = {
    ASK_GAME: "Which game? Enter = {default}. The games are {games}.",
    ASK_SERVER: "Which server? Enter = this machine. Or type HOST, HOST:PORT or tls://HOST.",
    ASK_FILE: "Which game? Type the file of its record, or its link.",
}
LAST_GAME = "Which game? Enter = your last practice game. Or type a record's file or a link."
LEARN = MenuItem("learn", "play your first hands", ("tutorial", "{0}"), (ASK_GAME,))
PRACTICE_ITEM = MenuItem("practice", "against bots, right now", ("practice", "{0}"), (ASK_GAME,))
CHOICES = (
    LEARN,
    PRACTICE_ITEM,
    MenuItem("daily", "today's deal", ("play", "{0}", "--do", "daily"), (ASK_SERVER,)),
    MenuItem("play", "on a server", ("play", "{0}"), (ASK_SERVER,)),
    MenuItem("host", "a server for your friends", ("host", "{0}"), (ASK_GAME,)),
    MenuItem("watch", "others, on a server", ("play", "{0}", "--do", "tables"), (ASK_SERVER,)),
    MenuItem("review", "what the moves cost", ("review", "{0}"), (ASK_FILE,)),
    MenuItem("replay", "a game that is over", ("replay", "{0}"), (ASK_FILE,)),
    MenuItem("quit", "", ()),
)


def menu(there: Collection[str]) -> Iterator[str]:
    """The lines of the menu, without items whose command is not in `there`."""
    yield ""
    yield f"  {VOCABULARIES[DEFAULT_GAME].title} and its relatives"
    yield ""
    for each in offered(there):
        yield f"    {each.word:<10}{each.does}".rstrip()
    yield ""


def offered(there: Collection[str]) -> list[MenuItem]:
    """The items whose command is in `there`."""
    return [each for each in CHOICES if not each.command or each.command[0] in there]


def usual(there: Collection[str], last: str = "") -> MenuItem:
    """The item that Enter chooses. `last` is the game that was practised last, if any."""
    return PRACTICE_ITEM if last or LEARN not in offered(there) else LEARN


def meant(typed: str, there: Collection[str]) -> list[MenuItem]:
    """The items that a word or its beginning may mean. A single letter means the first match."""
    word = typed.strip().lower().removeprefix("/")
    found = [each for each in offered(there) if each.word.startswith(word)]
    return found if len(word) > 1 else found[:1]


def question(ask: str, last: str = "") -> str:
    """The text of an item's question. `last` is the file that Enter chooses."""
    if ask == ASK_FILE and last:
        return LAST_GAME
    titles = [words.title for words in VOCABULARIES.values()]
    default = VOCABULARIES[DEFAULT_GAME].title
    return PROMPTS[ask].format(default=default, games=", ".join(titles))


def answered(ask: str, typed: str) -> str:
    """An answer as an argument of the command line; empty for Enter."""
    if ask == ASK_GAME and typed.strip():
        plain = "".join(filter(str.isalnum, typed.lower()))
        titles = {
            "".join(filter(str.isalnum, words.title.lower())): key
            for key, words in VOCABULARIES.items()
        }
        return titles.get(plain, typed.strip().lower())
    return typed.strip()


def command_line(choice: MenuItem, answers: Sequence[str]) -> list[str]:
    """The command line for an item and its answers."""
    words = (word.format(*answers) for word in choice.command)
    return [word for word in words if word]


def ask(
    there: Collection[str],
    width: int,
    read: Callable[[str], str],
    say: Callable[[str], None],
    *,
    last: str = "",
) -> list[str] | None:
    """Asks until an item is chosen. Returns its command line; None to quit.

    `read` asks for a line and raises `EOFError` at the end of the input. `last` is the game that
    Enter replays, if there is one.
    """
    for line in menu(there):
        say(line)
    enter = usual(there, last)
    prompt = f"  Your choice (Enter = {enter.word})> "
    try:
        while len(found := meant(read(prompt).strip() or enter.word, there)) != 1:
            words = " or ".join(each.word for each in found)
            every = ", ".join(each.word for each in offered(there))
            none = f"There is no such choice. There are: {every}."
            say(_wrapped(f"Did you mean {words}?" if found else none, width))
        (choice,) = found
        if not choice.command:
            return None
        answers: list[str] = []
        for each in choice.asks:
            say(_wrapped(question(each, last), width))
            answer = answered(each, read(f"  {each}> ")) or (last if each == ASK_FILE else "")
            while each == ASK_FILE and not answer:
                answer = answered(each, read(f"  {each}> "))
            answers.append(answer)
    except EOFError:
        say("")
        return None
    return command_line(choice, answers)


def _wrapped(text: str, width: int) -> str:
    return textwrap.fill(text, width, initial_indent="  ", subsequent_indent="  ")
