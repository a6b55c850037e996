"""SCRAM-SHA-256 against a client written here from RFC 5802 alone, and the RFC's own example."""

from __future__ import annotations

import hashlib
import hmac
from base64 import b64decode, b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.cases import together
from twentytwo_server.accounts import scram

PASSWORD = "three blind mice"


def b64(text: str) -> str:
    return b64encode(text.encode()).decode()


class Client:
    """The client's side."""

    def __init__(self, name: str, password: str, nonce: str = "fyko+d2lbbFgONRv9qkxdawL") -> None:
        self._password = password.encode()
        self._nonce = nonce
        self._bare = f"n={name},r={nonce}"
        self.first = b64("n,," + self._bare)
        self._proof = ""

    def final(self, challenge: str) -> str:
        first = b64decode(challenge).decode()
        found = dict(part.split("=", 1) for part in first.split(","))
        assert found["r"].startswith(self._nonce)
        assert len(found["r"]) > len(self._nonce)
        salted = hashlib.pbkdf2_hmac(
            "sha256", self._password, b64decode(found["s"]), int(found["i"])
        )
        key = hmac.digest(salted, b"Client Key", "sha256")
        without = f"c={b64('n,,')},r={found['r']}"
        message = f"{self._bare},{first},{without}".encode()
        signature = hmac.digest(hashlib.sha256(key).digest(), message, "sha256")
        proof = bytes(a ^ b for a, b in zip(key, signature, strict=True))
        server = hmac.digest(hmac.digest(salted, b"Server Key", "sha256"), message, "sha256")
        self._proof = f"v={b64encode(server).decode()}"
        return b64(f"{without},p={b64encode(proof).decode()}")

    def believes(self, proof: str) -> bool:
        """Whether the server has proved that it knows the password as well."""
        return b64decode(proof).decode() == self._proof


KEYS = scram.ScramCredentials.from_text(scram.secrets_of(PASSWORD, b"0123456789abcdef"))


def exchange(
    client: Client, keys: scram.ScramCredentials = KEYS, nonce: str = "server"
) -> scram.Exchange:
    return scram.Exchange(client.first, scram.name_in(client.first), keys, nonce)


def test_who_knows_the_password_is_believed_and_believes_the_server() -> None:
    client = Client("ann", PASSWORD)
    server = exchange(client)
    assert server.name == "ann"
    assert client.believes(server.finish(client.final(server.challenge)))


def test_who_does_not_know_it_is_not_believed() -> None:
    client = Client("ann", PASSWORD + "s")
    server = exchange(client)
    with pytest.raises(scram.BadProof):
        server.finish(client.final(server.challenge))


def test_a_proof_is_good_for_one_exchange_only() -> None:
    client = Client("ann", PASSWORD)
    final = client.final(exchange(client, nonce="one").challenge)
    with pytest.raises(scram.BadProof):
        exchange(client, nonce="two").finish(final)


def test_the_example_of_rfc_7677_comes_out_as_printed() -> None:
    salt = b64decode("W22ZaJ0SNY7soEsUEjb6gQ==")
    salted = hashlib.pbkdf2_hmac("sha256", b"pencil", salt, 4096)
    stored = hashlib.sha256(hmac.digest(salted, b"Client Key", "sha256")).digest()
    keys = scram.ScramCredentials(salt, stored, hmac.digest(salted, b"Server Key", "sha256"), 4096)
    first = b64("n,,n=user,r=rOprNGfwEbeRWgbNEkqO")
    server = scram.Exchange(first, "user", keys, "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0")
    assert b64decode(server.challenge).decode() == (
        "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"
    )
    final = (
        "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
        "p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
    )
    proof = b64decode(server.finish(b64(final))).decode()
    assert proof == "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="


def test_a_name_may_have_a_comma_and_an_equals_sign_in_it() -> None:
    assert scram.name_in(b64("n,,n=a=2Cb=3Dc,r=abc")) == "a,b=c"


def test_keys_are_the_same_after_being_written_down() -> None:
    assert scram.ScramCredentials.from_text(KEYS.text) == KEYS
    assert "mice" not in KEYS.text
    assert repr(KEYS) == "ScramCredentials(...)"


def test_a_name_without_an_account_looks_like_any_other() -> None:
    nobody = scram.dummy_credentials("zoe", b"secret")
    assert nobody == scram.dummy_credentials("Zoe", b"secret")
    assert nobody.salt != scram.dummy_credentials("zac", b"secret").salt
    client = Client("zoe", PASSWORD)
    server = exchange(client, nobody)
    assert f"i={scram.ITERATIONS}" in b64decode(server.challenge).decode()
    with pytest.raises(scram.BadProof):
        server.finish(client.final(server.challenge))


@together(
    "text",
    ["", "n,,", "n,,n=ann", "n,,r=abc", "x,,n=ann,r=abc", "p=tls-unique,,n=ann,r=abc",
     "n,a=bob,n=ann,r=abc", "n,,n=,r=abc", "n,,n=a=b,r=abc", "n,,m=x,n=ann,r=abc"],
)  # fmt: skip
def test_a_first_message_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(scram.BadProof):
        scram.Exchange(b64(text), "ann", KEYS, "server")


@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda data: b64encode(data).decode()))
def test_whatever_comes_is_a_bad_proof_at_worst(text: str) -> None:
    for message in (text, b64(text), b64(f"n,,n=ann,r={text}")):
        scram.is_first(message)
        try:
            server = scram.Exchange(message, scram.name_in(message), KEYS, "server")
        except scram.BadProof:
            continue
        with pytest.raises(scram.BadProof):
            server.finish(message)


@given(st.text(max_size=40))
def test_whatever_ends_an_exchange_is_a_bad_proof(text: str) -> None:
    client = Client("ann", PASSWORD)
    for final in (text, b64(text), b64(f"c=biws,r=fyko+d2lbbFgONRv9qkxdawLserver,p={text}")):
        with pytest.raises(scram.BadProof):
            exchange(client).finish(final)


@given(st.text(min_size=10, max_size=20))
def test_a_password_is_prepared_the_same_way_twice(password: str) -> None:
    try:
        once = scram.prepared(password)
    except ValueError:
        return
    assert scram.prepared(once) == once
