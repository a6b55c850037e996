"""The dashboard for Grafana asks for what a running server tells, in a form that Grafana reads."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.monitoring.test_listener import Watched
from tests.walls.source import ROOT

ALERTS = ROOT / "server" / "deploy" / "prometheus" / "alerts.yml"
FILE = ROOT / "server" / "deploy" / "grafana" / "twentytwo.json"
PAGE = ROOT / "docs" / "operating" / "watching.md"
ENDINGS = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count"), "gauge": ("",)}
METRIC = re.compile(r"\b(?:twentytwo|process)_\w+")


def dashboard() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


@pytest.fixture
def told(tmp_path: Path) -> Iterator[dict[str, set[str]]]:
    """The samples of a server by name, each with the labels that it has."""
    watched = Watched(lambda call: call(), "127.0.0.1:0", tmp_path)
    status, text = watched.get("/metrics")
    watched.admin.stop()
    assert status == 200
    found: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(text):
        for ending in ENDINGS[family.type]:
            labels = {key for each in family.samples for key in each.labels}
            found[family.name + ending] = labels
    yield found


def expressions() -> list[str]:
    variables = [each["query"]["query"] for each in dashboard()["templating"]["list"][1:]]
    panels = [t["expr"] for panel in dashboard()["panels"] for t in panel.get("targets", ())]
    return variables + panels


def test_every_metric_that_it_asks_for_is_told_by_a_server_with_that_label(
    told: dict[str, set[str]],
) -> None:
    assert len(expressions()) > 30
    for expression in expressions():
        names = METRIC.findall(expression)
        assert names, expression
        for name in names:
            assert name in told, expression
        by = re.search(r"by \((\w+)\)", expression)
        assert by is None or by[1] in told[names[0]], expression
        # Where a server restarts, the increase of a counter is not what it counts.
        counter = names[0].endswith(("_total", "_bucket"))
        assert not counter or "rate(" in expression or "faults" in expression, expression


def test_whatever_a_server_tells_is_in_it_and_on_the_page(told: dict[str, set[str]]) -> None:
    asked = " ".join(expressions())
    page = PAGE.read_text(encoding="utf-8")
    for name in told:
        if name.startswith("twentytwo_"):
            family = re.sub(r"_(total|bucket|sum|count)$", "", name)
            assert family in asked, name
            assert f"`{family.removeprefix('twentytwo_')}" in page, name


def test_the_page_explains_nothing_that_no_server_tells(told: dict[str, set[str]]) -> None:
    families = {re.sub(r"_(bucket|sum|count)$", "", name) for name in told}
    page = PAGE.read_text(encoding="utf-8").partition("## What each metric means")[2]
    rows = re.findall(r"^\| `(\w+)", page.partition("\n## ")[0], re.MULTILINE)
    assert len(rows) > 20
    assert not {name for name in rows if f"twentytwo_{name}" not in families}


def alerts() -> list[dict[str, str]]:
    """The alerts, each with its fields; the file is read by line, as its own writer laid it out."""
    found: list[dict[str, str]] = []
    last = ""
    for line in ALERTS.read_text(encoding="utf-8").splitlines():
        if named := re.match(r"      - alert: (\w+)$", line):
            found.append({"alert": named[1]})
        elif field := re.match(r" {8,10}(\w+): ?(.*)$", line):
            last = field[1]
            found[-1][last] = field[2]
        elif found:
            found[-1][last] += f" {line.strip()}"
    return found


def test_every_alert_asks_for_what_is_told_and_has_a_section_on_the_page(
    told: dict[str, set[str]],
) -> None:
    page = PAGE.read_text(encoding="utf-8")
    sections = set(re.findall(r"^### (Twentytwo\w+)$", page, re.MULTILINE))
    assert sections == {each["alert"] for each in alerts()}
    for alert in alerts():
        names = METRIC.findall(alert["expr"]) or ["up"]
        assert all(name in told or name == "up" for name in names), alert
        assert alert["severity"] in ("page", "ticket")
        assert alert["runbook_url"] == f"docs/operating/watching.md#{alert['alert'].lower()}"
        assert "$labels.instance" in alert["summary"]


def test_what_is_counted_by_name_is_told_before_there_is_any(told: dict[str, set[str]]) -> None:
    assert "code" in told["twentytwo_refusals_total"]
    assert "code" in told["twentytwo_connections_ended_total"]
    assert "limit" in told["twentytwo_limited_total"]


def test_panels_have_their_own_numbers_and_places() -> None:
    panels = dashboard()["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    for panel in panels:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        refs = [each["refId"] for each in panel.get("targets", ())]
        assert len(set(refs)) == len(refs)
        assert (panel["type"] == "row") == (not refs)
        assert panel["type"] == "row" or panel["description"].endswith(".")
    for one, other in combinations([panel["gridPos"] for panel in panels], 2):
        beside = one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
        below = one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"]
        assert beside or below


def lost(ours: Any, read: Any, where: str) -> Iterator[str]:
    """What of ours is not among what was read; that may have defaults beside it."""
    if isinstance(ours, dict) and isinstance(read, dict):
        for key in ours:
            yield from lost(ours[key], read.get(key), f"{where}.{key}")
    elif isinstance(ours, list) and isinstance(read, list) and len(ours) == len(read):
        for number, (mine, found) in enumerate(zip(ours, read, strict=True)):
            yield from lost(mine, found, f"{where}[{number}]")
    elif ours != read:
        yield f"{where}: {ours!r} is read as {read!r}"


def test_grafanas_own_model_of_a_dashboard_reads_all_of_it() -> None:
    models = pytest.importorskip(
        "grafana_foundation_sdk.models.dashboard",
        reason="grafana-foundation-sdk, Grafana's model of a dashboard, is not installed",
    )
    from grafana_foundation_sdk.cog import plugins  # type: ignore[import-not-found,unused-ignore]
    from grafana_foundation_sdk.cog.encoder import (  # type: ignore[import-not-found,unused-ignore]
        JSONEncoder,
    )

    plugins.register_default_plugins()
    made = models.Dashboard.from_json(dashboard())
    read = json.loads(JSONEncoder(sort_keys=True).encode(made))
    assert not list(lost(dashboard(), read, "dashboard"))
