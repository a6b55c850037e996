"""Inputs made of other inputs, and of words: what a driver without a library tries."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

SPECIAL = (0, 9, 10, 13, 32, 34, 44, 58, 61, 64, 91, 92, 123, 127, 128, 192, 240, 250, 254, 255)
"""Bytes at which something ends or begins."""


def mutated(
    chance: random.Random, pool: Sequence[bytes], words: Sequence[bytes], longest: int
) -> bytes:
    """One input of the pool with some changes, or a part of it beside a part of another."""
    data = bytearray(pool[int(chance.random() * len(pool))])
    for _ in range(1 + int(chance.random() ** 2 * 6)):
        _change(data, chance, pool, words, longest)
    return bytes(data[:longest])


def _change(
    data: bytearray,
    chance: random.Random,
    pool: Sequence[bytes],
    words: Sequence[bytes],
    longest: int,
) -> None:
    """One change in place."""
    size = len(data)
    at = int(chance.random() * (size + 1))
    match int(chance.random() * 10):
        case 0 if size:
            data[at - 1] = int(chance.random() * 256)
        case 1 if size:
            data[at - 1] ^= 1 << int(chance.random() * 8)
        case 2:
            data[at:at] = bytes((SPECIAL[int(chance.random() * len(SPECIAL))],))
        case 3:
            del data[at : at + 1 + int(chance.random() ** 3 * 32)]
        case 4 if size:
            until = at + 1 + int(chance.random() ** 2 * 32)
            times = 1 + int(chance.random() ** 4 * 200)
            data[at:at] = (data[at:until] * times)[:longest]
        case 5 | 6 if words:
            data[at:at] = words[int(chance.random() * len(words))]
        case 7 if words:
            word = words[int(chance.random() * len(words))]
            data[at : at + len(word)] = word
        case 8:
            other = pool[int(chance.random() * len(pool))]
            begin = int(chance.random() * (len(other) + 1))
            data[at:at] = other[begin : begin + int(chance.random() ** 2 * 256)]
        case _:
            other = pool[int(chance.random() * len(pool))]
            data[at:] = other[int(chance.random() * (len(other) + 1)) :]


def shrunk(data: bytes, holds: Callable[[bytes], bool]) -> bytes:
    """A shorter input for which `holds` is still true: parts are taken out, ever smaller ones."""
    size = len(data) // 2
    while size:
        at = 0
        while at < len(data):
            shorter = data[:at] + data[at + size :]
            if holds(shorter):
                data = shorter
            else:
                at += size
        size //= 2
    return data
