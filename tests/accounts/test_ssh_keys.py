"""Public keys as people type them and as clients send them."""

from __future__ import annotations

import subprocess
from base64 import b64encode
from pathlib import Path
from shutil import which

import pytest

from tests.kit.cases import together
from twentytwo_server.accounts.ssh_keys import BadKey, PublicKey, read_blob, read_line

ED25519 = (
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDjU903HjIfaURM6u3IyxjbJQUbyMxmDyOTN1Ia2Fvio ann@laptop"
)
FINGERPRINT = "SHA256:Z6G9wFVhtGOUDTDupLRbJLihyYCP/Bb/36AbT02kL44"


def test_a_line_of_a_pub_file_is_a_key_with_the_fingerprint_that_openssh_shows() -> None:
    key = read_line(f"  {ED25519}\n")
    assert (key.kind, key.comment, key.fingerprint) == ("ssh-ed25519", "ann@laptop", FINGERPRINT)
    assert read_line(ED25519.rpartition(" ")[0]).comment == ""


@pytest.mark.skipif(which("ssh-keygen") is None, reason="there is no ssh-keygen")
@together(("kind", "bits"), [("ed25519", 256), ("ecdsa", 384), ("rsa", 2048)])
def test_openssh_shows_the_same_fingerprint(kind: str, bits: int, tmp_path: Path) -> None:
    file = tmp_path / kind
    made = ["ssh-keygen", "-q", "-N", "", "-t", kind, "-b", str(bits), "-f", str(file)]
    subprocess.run(made, check=True)
    shown = subprocess.run(
        ["ssh-keygen", "-l", "-f", str(file)], check=True, capture_output=True, text=True
    )
    key = read_line(file.with_suffix(".pub").read_text())
    assert key.fingerprint in shown.stdout


def _blob(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4) + part for part in parts)


def _line(kind: str, *parts: bytes) -> str:
    return f"{kind} {b64encode(_blob(*parts)).decode()}"


@together(
    ("line", "why"),
    [
        ("", "begins with its type"),
        ("ann", "begins with its type"),
        ("ssh-dss AAAA", "begins with its type"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----", "private key"),
        ("ssh-ed25519", "cannot log in"),
        ("ssh-ed25519 ???", "not complete"),
        (ED25519[:60], "not complete"),
        (_line("ssh-ed25519", b"ssh-rsa", b"\1\0\1", b"\xff" * 256), "another type"),
        (_line("ssh-ed25519", b"ssh-ed25519"), "cannot log in"),
        (_line("ssh-rsa", b"ssh-rsa", b"\1\0\1", b"\0" + b"\xff" * 128), "RSA"),
        (_line("ssh-rsa", b"ssh-rsa", b"\1\0\1", b"\0" + b"\xff" * 1025), "RSA"),
    ],
)
def test_what_is_no_key_is_refused_with_the_reason(line: str, why: str) -> None:
    with pytest.raises(BadKey, match=why):
        read_line(line)


def test_no_bytes_are_read_as_a_key_by_mistake() -> None:
    for blob in (b"", b"\0", b"\0\0\0\1", b"\0\0\0\0", b"\xff" * 9, _blob(b"x", b"y")):
        with pytest.raises(BadKey):
            read_blob(blob)
    assert isinstance(read_blob(_blob(b"ssh-ed25519", b"k" * 32)), PublicKey)
