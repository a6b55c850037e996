"""The configurations of haproxy for two servers."""

from __future__ import annotations

import re

import pytest

from tests.conformance.quoting import ROOT
from twentytwo_server.store.node_settings import NodeSettings

FILES = ("haproxy/haproxy.cfg", "compose-standby.yaml")


@pytest.mark.parametrize("file", FILES)
def test_a_frozen_server_loses_its_players_before_another_one_serves_and_a_slow_one_does_not(
    file: str,
) -> None:
    text = (ROOT / "server/deploy" / file).read_text(encoding="utf-8")
    (check,) = re.findall(r"timeout check (\d+)s\n", text)
    (fall,) = re.findall(r" fall (\d+) ", text)
    assert "on-marked-down shutdown-sessions" in text
    assert 5 < int(fall) * int(check) < NodeSettings().takes_over_after
