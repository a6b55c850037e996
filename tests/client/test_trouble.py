"""What goes wrong with files and connections, as it is told to a person."""

from __future__ import annotations

import errno
import socket
import ssl
from pathlib import Path

import pytest
from twisted.internet.error import DNSLookupError, UnknownHostError, getConnectError

from tests.client.test_piped import run
from tests.kit.cases import together
from twentytwo_client.terminal.practice_server import NoServer, practice_server
from twentytwo_client.trouble import file_trouble, trouble

HERE = Path(__file__).parent


@together(
    ("error", "told"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "the disk is full"),
        (OSError(errno.EMFILE, "Too many open files"), "Too many open files"),
        (PermissionError(errno.EACCES, "Permission denied"), "you may not do that"),
        (ConnectionRefusedError(errno.ECONNREFUSED, "Refused"), "nobody listens there"),
        (ConnectionRefusedError("without a number"), "nobody listens there"),
        (OSError(errno.EPERM, "Not permitted"), "you may not do that"),
        (OSError(errno.EADDRINUSE, "In use"), "another program listens there"),
        (OSError(errno.EADDRNOTAVAIL, "Cannot assign"), "this machine has no such address"),
        (OSError(errno.EHOSTUNREACH, "No route to host"), "there is no way to that host"),
        (OSError(errno.ENETUNREACH, "Unreachable"), "there is no way to that host"),
        (OSError(errno.ENOTDIR, "Not a directory"), "there is no such file or folder"),
        (OSError(errno.EROFS, "Read-only"), "nothing can be written there"),
        # What asyncio makes of the two addresses of one host.
        (OSError("Multiple exceptions: [Errno 111] ('::1'), [Errno 111] ('127.0.0.1')"), None),
        (getConnectError((errno.ENOENT, "No such file")), "there is no such file or folder"),
        (getConnectError((errno.ECONNREFUSED, "Refused")), "nobody listens there"),
        (socket.gaierror(-2, "Name or service not known"), "there is no such host"),
        (ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER] wrong"), "it does not speak TLS there"),
        (TimeoutError(), "no answer"),
        (UnknownHostError(), "there is no such host"),
        (DNSLookupError("such a host"), "there is no such host"),
        (OSError("what no system says."), "what no system says"),
    ],
)
def test_an_error_is_told_in_words_without_its_number(error: Exception, told: str | None) -> None:
    assert trouble(error) == (told or "nobody listens there")
    assert "rrno" not in trouble(error)


@pytest.mark.parametrize(
    ("code", "told"),
    [(18, "nobody who is trusted here has signed it"), (10, "certificate has expired")],
)
def test_of_a_certificate_it_is_told_what_is_wrong_with_it(code: int, told: str) -> None:
    wrong = ssl.SSLCertVerificationError(1, "[SSL: CERTIFICATE_VERIFY_FAILED]")
    wrong.verify_code, wrong.verify_message = code, "certificate has expired."
    assert trouble(wrong) == f"its certificate will not do: {told}"


def test_of_a_file_it_is_told_which() -> None:
    wrong = IsADirectoryError(errno.EISDIR, "Is a directory", "/tmp")
    assert file_trouble("/tmp/", wrong) == "/tmp: that is a folder"
    assert file_trouble("f", OSError(errno.ENOSPC, "No space")) == "f: the disk is full"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("replay", "{there}"), "twentytwo replay: {there}: that is a folder\n"),
        (("replay", "{there}/binary"), "twentytwo replay: {there}/binary: that is no text\n"),
        (("whatif", "{gone}"), "twentytwo whatif: {gone}: there is no such file or folder\n"),
        (
            ("replay", "{game}", "--html", "{gone}/a"),
            "twentytwo replay: {gone}/a: there is no such file or folder\n",
        ),
        (
            ("replay", "{game}", "--html", "{there}/a", "--review", "{gone}"),
            "twentytwo replay: {gone}: there is no such file or folder\n",
        ),
        (
            ("replay", "{game}", "--cast", "{there}"),
            "twentytwo replay: {there}: that is a folder\n",
        ),
        (("stats", "--svg", "{there}"), "twentytwo stats: {there}: that is a folder\n"),
        (
            ("conform", "--client", "{gone}"),
            "twentytwo conform: {gone}: there is no such file or folder\n",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_file_that_will_not_do_is_told_in_one_line(
    arguments: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    names = {"there": str(tmp_path), "gone": str(tmp_path / "gone"), "game": str(HERE / "game.txt")}
    code, _, err = run("", *(word.format(**names) for word in arguments), state=tmp_path)
    assert (code, err) == (1, told.format(**names))


async def test_no_folder_for_a_server_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: object) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tempfile.mkdtemp", full)
    with pytest.raises(NoServer, match=r"^no folder for it can be made: the disk is full$"):
        async with practice_server():
            pass


def test_where_a_seat_cannot_be_kept_it_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    code, _, err = run("", "play", "127.0.0.1:1", state=tmp_path / "state")
    assert code == 3
    assert err.startswith("Your seat cannot be kept for the next time: ")
    assert "rrno" not in err
