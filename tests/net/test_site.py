"""The page is handed out by HTTP, on connections that stay, within the limits of a handshake."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from urllib.parse import urljoin

import h11
import pytest
from wsproto.events import AcceptConnection

from tests.kit.cases import together
from tests.net.test_websocket import UPGRADE, Entrance
from twentytwo_server.limits.connections import Limits
from twentytwo_server.net.site import POLICY, SiteFile, site, site_files
from twentytwo_server.net.upgrade import LARGEST_REQUEST, MOST_REQUESTS
from twentytwo_server.net.websocket import NEXT_REQUEST

LARGEST_SITE = 150_000
"""Bytes of the whole page as it is sent."""


def file(kind: str, text: str, tag: str = "t") -> SiteFile:
    packed = gzip.compress(text.encode(), mtime=0)
    return SiteFile(kind, text.encode(), packed if len(packed) < len(text) else None, tag)


FIRST = file("text/html", "<!DOCTYPE html>" + " " * 300, "first")
FILES = {
    "/": FIRST,
    "/index.html": FIRST,
    "/app.js": file("text/javascript", "go" * 200, "app"),
    "/a b.txt": file("text/plain", "short", "short"),
    "/large.svg": file("image/svg+xml", "".join(map(str, range(9000))), "large"),
}


class Browser:
    """A client of HTTP on one connection."""

    def __init__(self, entrance: Entrance | None = None, address: str = "192.0.2.7") -> None:
        self.entrance = entrance or Entrance(files=FILES)
        self.line = self.entrance.line(address)
        self.http = h11.Connection(h11.CLIENT)

    def ask(self, path: str = "/", method: str = "GET", **headers: str) -> bytes:
        """The bytes of a request."""
        fields = [(name.replace("_", "-"), value) for name, value in headers.items()]
        host = [] if "Host" in headers else [("Host", "h")]
        request = h11.Request(method=method, target=path, headers=[*host, *fields])
        data = self.http.send(request) or b""
        return data + (self.http.send(h11.EndOfMessage()) or b"")

    def get(self, path: str = "/", method: str = "GET", *, chunk: int = 0, **headers: str) -> Got:
        self.line.send(self.ask(path, method, **headers), chunk=chunk)
        return self.got()

    def got(self) -> Got:
        """The next answer; its connection is ready for another request, if it stays."""
        self.http.receive_data(self.line.transport.value())
        self.line.transport.clear()
        response, body = self.http.next_event(), b""
        assert isinstance(response, h11.Response), "no answer"
        while isinstance(event := self.http.next_event(), h11.Data):
            body += event.data
        assert isinstance(event, h11.EndOfMessage)
        if self.http.our_state is h11.DONE and self.http.their_state is h11.DONE:
            self.http.start_next_cycle()
        return Got(response, body)


class Got:
    """An answer."""

    def __init__(self, response: h11.Response, body: bytes) -> None:
        self.status = response.status_code
        self.headers = {name.decode(): value.decode() for name, value in response.headers}
        self.body = body

    def text(self) -> str:
        packed = self.headers.get("content-encoding") == "gzip"
        return (gzip.decompress(self.body) if packed else self.body).decode()


@pytest.mark.parametrize("chunk", [0, 1])
def test_all_files_come_over_one_connection(chunk: int) -> None:
    browser = Browser()
    for path, wanted in FILES.items():
        got = browser.get(path.replace(" ", "%20"), chunk=chunk)
        assert (got.status, got.body) == (200, wanted.plain)
        assert got.headers["content-type"] == wanted.kind
        assert got.headers["content-security-policy"] == POLICY
        assert got.headers["x-content-type-options"] == "nosniff"
        assert got.headers["cache-control"] == "no-cache"
        assert "connection" not in got.headers
    assert browser.line.connected


@together(
    ("accepted", "packed"),
    [
        ("", False),
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("*", True),
        ("deflate, br", False),
        ("gzip;q=0", False),
        ("gzip; q=0.000, br", False),
        ("x-gzip-like", False),
    ],
)
def test_a_file_is_packed_for_those_who_unpack_it(accepted: str, packed: bool) -> None:
    browser = Browser()
    got = browser.get("/app.js", Accept_Encoding=accepted)
    assert ("content-encoding" in got.headers) == packed
    assert got.text() == "go" * 200
    assert got.headers["vary"] == "Accept-Encoding"
    assert got.headers["content-length"] == str(len(got.body))
    assert browser.get("/a%20b.txt", Accept_Encoding=accepted).body == b"short", "no gain"


def test_what_has_not_changed_is_not_sent_again() -> None:
    browser = Browser()
    tags = [browser.get("/app.js", Accept_Encoding=e).headers["etag"] for e in ("", "gzip")]
    assert tags == ['"app"', '"app.gzip"'], "other bytes, another strong tag"
    for known in ('"app"', 'W/"app"', '"x", "app"', "*"):
        got = browser.get("/app.js", If_None_Match=known)
        assert (got.status, got.body, got.headers["etag"]) == (304, b"", '"app"')
    for other in ('"x"', '"app.gzip"', "app"):
        assert browser.get("/app.js", If_None_Match=other).status == 200
    assert browser.get("/app.js", If_None_Match=tags[1], Accept_Encoding="gzip").status == 304
    assert browser.line.connected


def test_only_the_headers_come_if_only_they_were_asked_for() -> None:
    browser = Browser()
    got = browser.get("/app.js", "HEAD")
    assert (got.status, got.headers["content-length"], got.body) == (200, "400", b"")
    assert browser.get("/app.js").status == 200, "the connection stays"


@together(
    ("path", "status"),
    [
        ("/?server=wss://cards.example.org", 200),
        ("/app%2Ejs", 200),
        ("/%61pp.js?v=2", 200),
        ("/ways", 200),
        ("/none.js", 404),
        ("//app.js", 404),
        ("/../app.js", 404),
        ("/%2e%2e/app.js", 404),
        ("/..%2f..%2fetc/passwd", 404),
        ("/app.js/", 404),
        ("/app.js%00", 404),
        ("/%ff%fe", 404),
        ("/%", 404),
        ("app.js", 404),
        ("http://h/app.js", 404),
        ("*", 404),
    ],
)
def test_a_path_leads_to_a_file_of_the_page_or_nowhere(path: str, status: int) -> None:
    assert Browser().get(path).status == status


def test_the_ways_to_connect_stand_beside_the_page() -> None:
    got = Browser().get("/ways", Host="cards.example.org")
    assert "twentytwo play tls://cards.example.org:2223" in got.text()


def test_under_a_name_that_is_not_the_servers_there_is_no_file() -> None:
    for path in ("/", "/app.js", "/none"):
        got = Browser().get(path, Host="evil.example")
        assert (got.status, POLICY in got.headers.values()) == (421, False)
    assert Browser().get(Host="cards.example.org:8022").status == 200


@pytest.mark.parametrize("chunk", [0, 1, 50])
def test_requests_in_one_piece_are_answered_in_their_order(chunk: int) -> None:
    browser = Browser()
    asked = [b"GET %s HTTP/1.1\r\nHost: h\r\n\r\n" % p for p in (b"/", b"/app.js", b"/none", b"/")]
    browser.line.send(b"".join(asked), chunk=chunk)
    text = browser.line.read()
    assert re.findall(r"HTTP/1.1 (\d+) ", text) == ["200", "200", "404"]
    assert 0 < text.index("<!DOCTYPE") < text.index("gogo") < text.index("Nothing is here")
    assert not browser.line.connected, "after what was refused"


def test_a_connection_has_its_last_request() -> None:
    browser = Browser()
    for _ in range(MOST_REQUESTS - 1):
        assert "connection" not in browser.get("/app.js", If_None_Match="*").headers
    assert browser.get("/app.js").headers["connection"] == "close"
    assert not browser.line.connected


@together(
    "request_",
    [
        "GET / HTTP/1.0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nGET / HTT",
        "GET / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n",
    ],
)
def test_who_wants_no_other_answer_gets_one(request_: str) -> None:
    line = Entrance(files=FILES).line()
    line.send(request_)
    answer = line.read()
    assert answer.startswith("HTTP/1.1 200 ")
    assert "\r\nConnection: close\r\n" in answer
    assert not line.connected


def test_the_page_is_followed_by_a_websocket_on_the_same_connection() -> None:
    browser = Browser()
    browser.get()
    browser.line.send(f"GET / HTTP/1.1\nHost: h\n{UPGRADE}\n".replace("\n", "\r\n"))
    assert browser.line.transport.value().startswith(b"HTTP/1.1 101 ")
    browser.entrance.doors.advance(NEXT_REQUEST)
    assert browser.line.connected
    assert len(browser.entrance.doors.channels.all) == 1


# ----------------------------------------------------------------------------------- limits


def test_who_does_not_read_an_answer_gets_no_other_one() -> None:
    browser = Browser()
    transport = browser.line.transport
    transport.window = 1000
    for _ in range(9):
        browser.line.send(b"GET /large.svg HTTP/1.1\r\nHost: h\r\n\r\n")
    size = len(FILES["/large.svg"].plain)
    assert size < len(transport.value()) < size + 1000, "one file"
    transport.clear()
    browser.entrance.doors.clock.settle()
    assert size < len(transport.value()) < size + 1000, "the next one"
    browser.line.send(b"GET /" + b"x" * LARGEST_REQUEST)
    assert transport.aborting, "what waits has a limit, too"


def test_who_reads_nothing_is_cut_off() -> None:
    browser = Browser()
    transport = browser.line.transport
    transport.window, transport.slow = 1000, True
    browser.line.send(browser.ask("/large.svg"))
    browser.entrance.doors.advance(NEXT_REQUEST)
    assert browser.line.connected, "what was sent may still be read"
    browser.entrance.doors.advance(NEXT_REQUEST)
    assert transport.aborting
    assert browser.entrance.line().connected


def test_a_connection_without_another_request_is_closed() -> None:
    browser = Browser()
    for _ in range(3):
        browser.get()
        browser.entrance.doors.advance(NEXT_REQUEST - 1)
        assert browser.line.connected
    browser.line.send("GET / HT")
    browser.entrance.doors.advance(1)
    assert not browser.line.connected


def test_an_address_has_its_rate_of_requests() -> None:
    limits = Limits(address_burst=3, address_rate=1)
    first, second = (Browser(Entrance(files=FILES, limits=limits)) for _ in range(2))
    second.entrance = first.entrance
    second.line = first.entrance.line()
    for _ in range(3):
        first.get("/app.js")
    second.get("/app.js")
    second.line.send(second.ask("/app.js"))
    assert second.line.read() == "", "it waits"
    first.entrance.doors.advance(1000)
    assert second.got().status == 200
    other = Browser(first.entrance, "192.0.2.8")
    assert other.get("/app.js").status == 200


def test_who_has_loaded_the_page_makes_room_for_others_of_the_address() -> None:
    entrance = Entrance(files=FILES, limits=Limits(each_address=2))
    first, second = Browser(entrance), Browser(entrance)
    for browser in (first, second, first):
        browser.get()
    assert isinstance(entrance.client().first[0], AcceptConnection)
    assert (first.line.connected, second.line.connected) == (True, False), "the longest idle one"
    first.line.send("GET / HTT")
    assert entrance.line().read().startswith("HTTP/1.1 503 "), "none is idle"
    first.line.lose()
    assert isinstance(entrance.client().first[0], AcceptConnection)
    assert entrance.line().read().startswith("HTTP/1.1 503 "), "nobody at a table gives way"


def test_the_connections_of_a_page_do_not_count_as_newcomers_up_to_their_own_rate() -> None:
    entrance = Entrance(files=FILES, limits=Limits(connect_burst=2, connect_rate=1))
    for _ in range(2 * 6):
        assert Browser(entrance).get().status == 200
    entrance.line()
    entrance.line()
    assert entrance.line().read().startswith("HTTP/1.1 503 ")
    other = Entrance(files=FILES, limits=Limits(connect_burst=2, connect_rate=1))
    for _ in range(2 * 6 + 2):
        assert Browser(other).get().status == 200
    assert other.line().read().startswith("HTTP/1.1 503 "), "no more than that"


@pytest.mark.parametrize("whole", [True, False])
def test_who_sends_no_more_is_answered_and_let_go(whole: bool) -> None:
    browser = Browser()
    data = browser.ask("/app.js")
    browser.line.send(data if whole else data[:-1])
    browser.line.protocol.readConnectionLost()  # type: ignore[attr-defined]
    browser.entrance.doors.clock.settle()
    assert browser.line.read().startswith("HTTP/1.1 200 ") == whole
    assert not browser.line.connected


def test_a_connection_that_breaks_while_requests_wait_leaves_nothing() -> None:
    browser = Browser(Entrance(files=FILES, limits=Limits(address_burst=1, address_rate=1)))
    browser.line.send(browser.ask("/app.js") + b"GET / HTTP/1.1\r\nHost: h\r\n\r\n" * 3)
    assert browser.line.read().count("HTTP/1.1 ") == 2
    browser.line.lose()
    browser.entrance.doors.advance(2 * NEXT_REQUEST)
    assert browser.line.read() == ""


# ---------------------------------------------------------------------------- the real files


def test_the_whole_page_is_small() -> None:
    files = {id(each): each for each in site().values()}.values()
    sent = sum(min(len(each.plain), len(each.packed or each.plain)) for each in files)
    assert sent < LARGEST_SITE


def test_every_module_of_the_page_is_there_and_no_other_site_is_named() -> None:
    files = site_files()
    for path, content in files.items():
        if path.endswith(".js"):
            wanted = re.findall(rb"""(?:from|import)\s*\(?\s*"(\.[^"]+)\"""", content)
            found = {urljoin(f"/{path}", each.decode()).removeprefix("/") for each in wanted}
            assert found <= files.keys(), path
    assert "sdk/index.js" in files
    assert "sdk/node.js" not in files


def test_the_version_changes_with_every_file(tmp_path: Path) -> None:
    for folder in ("page/icons", "sdk"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("page/index.html", "page/icons/one.svg", "sdk/index.js", "page/README.md"):
        (tmp_path / name).write_text("1")
    (tmp_path / "page/sw.js").write_text('const VERSION = "";\nconst FILES = [];\n')

    def version() -> bytes:
        files = site_files(tmp_path)
        assert files.keys() == {"index.html", "icons/one.svg", "sdk/index.js", "sw.js"}
        return files["sw.js"]

    seen = [version()]
    listed = rb'const FILES = \["icons/one.svg", "index.html", "sdk/index.js"\];'
    assert re.fullmatch(rb'const VERSION = "[0-9a-f]{16}";\n' + listed + rb"\n", seen[0])
    for name in ("page/index.html", "page/icons/one.svg", "sdk/index.js"):
        (tmp_path / name).write_text("2")
        seen.append(version())
    (tmp_path / "page/README.md").write_text("2")
    assert len({*seen}) == 4
    assert version() == seen[-1]
