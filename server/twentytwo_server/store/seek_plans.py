"""What becomes of the stored seeks when somebody seeks: the same in every store."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from twentytwo_protocol.value import Value

from ..facts import Seek


class StoredSeek(Value):
    """A seek; `tag` is that of the match that has taken it, or empty.

    `seated`: its table is open.
    """

    seek: Seek
    tag: str = ""
    seated: bool = False


class SeekPlan(Value):
    """What becomes of the seeks when somebody seeks.

    `ended` are deleted, `taken` belong to the match from now on. `number` is that of the person's
    own seek, 0 if it is still to be stored. `others` are the people to be seated besides.
    """

    number: int = 0
    ended: Sequence[int] = ()
    taken: Sequence[int] = ()
    others: Sequence[Seek] = ()
    refused: bool = False


def planned(
    stored: Sequence[StoredSeek], wanted: Seek, tag: str, busy: Collection[str]
) -> SeekPlan:
    """Decides about a seek; `stored` are all open ones, the oldest first.

    It decides the same again for a tag whose match is stored: the answer may have been lost.
    """
    mine = [each for each in stored if each.seek.name == wanted.name]
    same = next((each.seek.number for each in mine if each.seek.fits(wanted)), 0)
    done = [each.seek for each in stored if each.tag == tag]
    if done:
        return SeekPlan(same, others=[each for each in done if each.name != wanted.name])
    lost = wanted.number and wanted.number not in (each.seek.number for each in mine)
    seated = next((each.seek.number for each in mine if each.seated), 0)
    if lost or any(each.tag for each in mine):
        return SeekPlan(seated, refused=True)
    others = [
        each.seek
        for each in stored
        if each not in mine and not each.tag and each.seek.fits(wanted)
        if each.seek.name not in busy
    ][: wanted.players - 1]
    if len(others) == wanted.players - 1:
        taken = [each.number for each in (*others, *(my.seek for my in mine))]
        return SeekPlan(same, taken=taken, others=others)
    return SeekPlan(same, ended=[my.seek.number for my in mine if my.seek.number != same])
