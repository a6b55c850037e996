"""The subjects of messages between servers. A subject holds names of servers, and no other text."""

from __future__ import annotations

import re
from typing import NewType

Subject = NewType("Subject", str)
"""The topic of a message on the bus, which decides its receivers: words with dots between them."""

RINGS_FOR_ALL = Subject("rings")
"""For all servers: a server has stored something that any of them may want to read."""

KIBITZING = Subject("talk")
"""For all servers: what the watchers of a table say."""

NEWS = Subject("news")
"""For all servers: rows of the store have changed, which all have in memory."""

LOGINS = Subject("logins")
"""For all servers: wrong passwords and registrations, which all of them count."""

GUESTS = Subject("guests")
"""For all servers: guests who have become accounts."""

USED_TOKENS = Subject("tokens")
"""For all servers: the hash of a resume token that somebody has used, and that is not valid."""

DIRECTORY = Subject("directory")
"""For all servers: who has come and gone, and what the lobby hears."""


def rings(node: str) -> Subject:
    """For one server: tables that it follows have new rows in the store."""
    return Subject(f"rings.{_word(node)}")


def orders(node: str) -> Subject:
    """Questions to one server: orders for the tables that it owns."""
    return Subject(f"orders.{_word(node)}")


def people(node: str) -> Subject:
    """Questions to one server: people whom it keeps, and whom another one is to keep."""
    return Subject(f"people.{_word(node)}")


def operators(node: str) -> Subject:
    """Questions to one server: admin commands that it carries out."""
    return Subject(f"operators.{_word(node)}")


def directory(node: str) -> Subject:
    """Questions to one server: who is there."""
    return Subject(f"directory.{_word(node)}")


def mail(node: str) -> Subject:
    """Questions to one server: lines for the inboxes of people whom it keeps."""
    return Subject(f"mail.{_word(node)}")


def _word(node: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9._-]{1,32}", node):
        raise ValueError(f"{node!r} is no name of a server")
    return node.replace(".", "~")
