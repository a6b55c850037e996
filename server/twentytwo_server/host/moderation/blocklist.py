"""The blocklist: a file of networks that may not connect."""

from __future__ import annotations

from pathlib import Path

from .networks import Networks, is_own, network

SHOWN = 5
"""Maximum number of faulty lines in an error message."""


class Blocklist:
    """The networks of a file, one a line; `#` begins a comment. Without a file there are none.

    The constructor and `reload` raise `ValueError` if the file cannot be read or has faults. After
    a failed `reload` the old networks stay.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self._text, self._networks = "", Networks()
        self.reload()

    def __len__(self) -> int:
        return len(self._networks)

    def __contains__(self, address: str) -> bool:
        """True if an address is in one of the networks."""
        return next(self._networks.over(address), None) is not None

    def reload(self) -> bool:
        """Reads the file again; True if it has changed."""
        text = self._read()
        if text == self._text:
            return False
        self._text, self._networks = text, self._parsed(text)
        return True

    def _parsed(self, text: str) -> Networks:
        found, wrong = Networks(), list[str]()
        for number, line in enumerate(text.splitlines(), 1):
            named = line.partition("#")[0].strip()
            if not named:
                continue
            net = network(named)
            if net is None:
                wrong.append(f"line {number} is no address or network")
            elif is_own(net):
                wrong.append(f"line {number} has this machine in it")
            else:
                found.add(net)
        if wrong:
            more = f", and {len(wrong) - SHOWN} more" if wrong[SHOWN:] else ""
            raise ValueError(f"{self._file}: {', '.join(wrong[:SHOWN])}{more}")
        return found

    def _read(self) -> str:
        if not self._file:
            return ""
        try:
            return Path(self._file).read_text("utf-8-sig")
        except OSError as error:
            raise ValueError(f"{self._file}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise ValueError(f"{self._file}: not a UTF-8 text file") from None
