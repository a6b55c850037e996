"""A file of networks that may not connect: what is in it, its faults, and reading it anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from twentytwo_server.host.moderation.blocklist import Blocklist


def written(folder: Path, text: str) -> str:
    file = folder / "blocked"
    file.write_text(text, "utf-8")
    return str(file)


def test_addresses_in_a_network_of_the_file_are_blocked_and_no_others(tmp_path: Path) -> None:
    text = "# of somebody else\n203.0.113.0/24   # flood\n\n198.51.100.7\n2001:db8:7::/48\n"
    blocked = Blocklist(written(tmp_path, text))
    assert len(blocked) == 3
    for address in ("203.0.113.255", "198.51.100.7", "2001:db8:7:1::1", "::ffff:203.0.113.1"):
        assert address in blocked, address
    for address in ("203.0.112.1", "198.51.100.8", "2001:db8:8::1", "unix", "127.0.0.1"):
        assert address not in blocked, address


def test_without_a_file_nobody_is_blocked() -> None:
    blocked = Blocklist("")
    assert "203.0.113.7" not in blocked and not blocked.reload()


def test_every_fault_is_named_by_its_line_and_the_networks_before_stay(tmp_path: Path) -> None:
    blocked = Blocklist(file := written(tmp_path, "203.0.113.0/24\n"))
    assert not blocked.reload()
    written(tmp_path, "198.51.100.7\nnobody\n0.0.0.0/0\n" + "x\n" * 9)
    with pytest.raises(ValueError) as raised:
        blocked.reload()
    assert str(raised.value) == (
        f"{file}: line 2 is no address or network, line 3 has this machine in it, "
        "line 4 is no address or network, line 5 is no address or network, "
        "line 6 is no address or network, and 6 more"
    )
    assert "203.0.113.7" in blocked and "198.51.100.7" not in blocked
    written(tmp_path, "198.51.100.7\n")
    assert blocked.reload() and "203.0.113.7" not in blocked and "198.51.100.7" in blocked
    Path(file).unlink()
    with pytest.raises(ValueError, match="No such file or directory"):
        blocked.reload()
