"""What is taken away while it is looked up opens nothing, however late the answers come."""

from __future__ import annotations

from collections.abc import Callable

from tests.kit.hosts import LateStore
from twentytwo_server.accounts.revocations import Revocations
from twentytwo_server.answers import run
from twentytwo_server.facts import Account, PasswordChanged

ANN = Account("ann", "ann", "old", "", 0)


def _unexpected(wrong: Exception) -> None:
    raise wrong


class Asked:
    """A store that keeps late, and whose answers are as they were when it was asked."""

    def __init__(self) -> None:
        self.store = LateStore()
        self.store.keep([ANN], lambda: None)
        self.store.late = True
        self.revocations = Revocations(self.store)
        self.answers: list[Callable[[], None]] = []
        self.found: list[str] = []

    def change(self, password: str) -> None:
        run(self.revocations.keep([PasswordChanged("ann", password, "")]), _unexpected)

    def look(self) -> None:
        async def look() -> None:
            self.found.append((await self.revocations.look_up(self._ask)).password)

        run(look(), _unexpected)

    def _ask(self, done: Callable[[Account], None]) -> None:
        def found(account: Account | None) -> None:
            assert account is not None
            self.answers.append(lambda: done(account))

        self.store.account("ann", found)

    def answer(self) -> None:
        self.answers.pop(0)()


def test_where_nothing_changes_the_store_is_asked_once_and_nothing_is_kept() -> None:
    it = Asked()
    it.look()
    it.answer()
    assert (it.found, it.answers, it.store.waiting) == (["old"], [], [])


def test_a_change_that_is_still_to_be_kept_is_waited_for() -> None:
    it = Asked()
    it.change("new")
    it.look()
    assert it.answers == []
    it.store.release()
    it.answer()
    assert it.found == ["new"]


def test_an_answer_that_a_change_has_overtaken_is_not_taken() -> None:
    it = Asked()
    it.look()
    it.change("new")
    it.store.release()
    it.answer()
    assert it.found == []
    it.answer()
    assert it.found == ["new"]


def test_when_one_of_two_changes_is_kept_the_other_is_waited_for() -> None:
    it = Asked()
    it.change("new")
    it.change("newer")
    facts, done = it.store.waiting.pop(0)
    it.store.late = False
    it.store.waiting, rest = [], it.store.waiting
    it.store.keep(facts, done)
    it.store.late, it.store.waiting = True, rest
    it.look()
    assert it.answers == []
    it.store.release()
    it.answer()
    assert it.found == ["newer"]
