"""The command `review`: prints the cost of each move of a game, from its record in a file."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from twentytwo_protocol.record_link import BrokenLink

from ..games.registry import games
from ..review.document import document
from ..review.played_again import NotReviewable, people, played_again, read_record
from ..review.report import report
from ..review.review import hand_review, hands_of, put_together
from .given import called, command, text_of
from .one_line import INTERRUPTED, why


@click.command(epilog="example: twentytwo review record.txt --seat 2")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--seat",
    "seats",
    type=int,
    multiple=True,
    metavar="N",
    help="Judge the moves of this seat; may be repeated.  [people; all seats if only bots played]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the whole review as a JSON object.")
def review(file: Path, seats: tuple[int, ...], as_json: bool) -> None:
    """Print the cost of each move of a game, and better moves.

    FILE is the record of a finished game, a file with a link to it, the link itself, or - for
    standard input. The hard bot tries the moves of each decision with the knowledge of its player.
    The same record has the same review on every machine.
    """
    sys.exit(run_review(file, seats, as_json))


def run_review(file: Path, seats: tuple[int, ...], as_json: bool) -> int:
    """Reviews the game in a file and prints the review. Returns the exit status."""
    try:
        played = played_again(read_record(text_of(file)), games())
        wanted = tuple(sorted({*seats})) or people(played)
        if not set(wanted) <= set(range(1, played.record.seats + 1)):
            raise NotReviewable(f"--seat takes 1 to {played.record.seats} here.")
    except (NotReviewable, BrokenLink, OSError, UnicodeDecodeError) as wrong:
        return _refuse(f"{called(file)}: {why(wrong)}")
    hands = []
    try:
        for count, no in enumerate(hands_of(played), 1):
            _progress(count, len(played.hands))
            hands.append(hand_review(played, no, wanted))
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    finally:
        _clear()
    found = put_together(played, hands, wanted)
    if as_json:
        print(json.dumps(document(found)))
    else:
        print("\n".join(report(found)))
    return 0


def _refuse(why: str) -> int:
    print(f"{command()}: {why}", file=sys.stderr)
    return 1


def _progress(count: int, whole: int) -> None:
    if sys.stderr.isatty():
        print(f"\rhand {count} of {whole}", end="", file=sys.stderr, flush=True)


def _clear() -> None:
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
