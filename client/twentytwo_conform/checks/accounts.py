"""Section 20: accounts, logins, ratings."""

from __future__ import annotations

import hashlib
import hmac
import time
from base64 import b64decode, b64encode

from ..check import cases, quotes
from ..connections import HELLO, Address, Person, Program, Table, answer, of, seated
from ..fixtures import Connect, Open, Start
from ..pacing import trace
from ..pool import new_name

PASSWORD = "three blind mice"
OTHER = "four and twenty blackbirds"


def account(
    address: Address, name: str = "", hello: str = "hello 1 client=conformance/1"
) -> Program:
    """A client that has registered an account."""
    client = Program(address, hello=hello)
    reply = client.must(f"register {name or new_name()} :{PASSWORD}")
    client.name, client.token = reply["name"], reply["token"]
    return client


@quotes("makes an account, and the connection belongs to it from then on", "A1", "R5")
def an_account_is_made(nobody: Program, name: str) -> None:
    reply = nobody.must(f"register {name} :{PASSWORD}")
    assert reply["name"] == name
    assert {"token", "grace"} <= set(reply.final.fields)
    assert nobody.must("whoami")["name"] == name


@quotes(
    "common ones, and those of fewer than four different characters, are refused with "
    "BAD_ARG arg=password",
    "A1",
)
@cases("password", ["", "short", "x" * 257, "password123", "1234567890", "abc" * 4])
def a_password_that_is_short_or_common_is_refused(connect: Connect, password: str) -> None:
    refused = connect().ask(f"register {new_name()} :{password}")
    assert refused.code == "BAD_ARG"
    assert refused["arg"] == "password"


@quotes("It is normalised by SASLprep (RFC 4013) before it is compared", "A1")
def a_password_is_the_same_however_its_letters_are_composed(address: Address) -> None:
    name = new_name()
    with Program(address) as client:
        client.must(f"register {name} :tre\u0301s bien \ufb01nal")
    with Program(address) as client:
        client.must(f"login {name} :tr\u00e9s\u00a0bien final")
    with Program(address) as client:
        refused = client.ask(f"register {new_name()} :private \ue000 letters")
        assert (refused.code, refused["arg"]) == ("BAD_ARG", "password")


@quotes("Another name that looks like it is refused with NAME_TAKEN", "A2")
def a_name_that_looks_like_an_accounts_is_taken(address: Address) -> None:
    name = f"mi-{new_name()}"
    account(address, name).close()
    for like in (name, name.upper(), name.replace("m", "rn"), name.replace("-", "_")):
        with Program(address) as client:
            assert client.ask(f"register {like} :{PASSWORD}").code == "NAME_TAKEN"


@quotes("Misleading names are BAD_NAME", "A2")
@cases("name", ["practice", "admin", "adm1n", "guest9", "seat1", "botanist", "x"])
def a_name_that_misleads_is_refused(nobody: Program, name: str) -> None:
    assert nobody.ask(f"register {name} :{PASSWORD}").code == "BAD_NAME"


@quotes("nor a name that the server uses in its sentences", "A2")
@cases("name", ["server2", "bot", "hard", "y0u", "ad-min"])
def not_even_a_guest_is_called_like_the_server(nobody: Program, name: str) -> None:
    assert nobody.ask(f"guest {name}").code == "BAD_NAME"


@quotes("If the name is taken, or belongs to an account, the guest gets a number", "F6")
def a_guest_is_not_called_like_an_account(address: Address, name: str) -> None:
    with account(address, name), Program(address, name) as guest:
        assert guest.name == f"~{name}2"


@quotes("rows AT for me and for every table where the account has a seat", "A3", "R5")
def a_login_answers_like_resume(address: Address) -> None:
    with account(address) as client:
        on = client.must("open twentytwo seats=2 clock=0")["on"]
    with Program(address) as again:
        reply = again.must(f"login {client.name} :{PASSWORD}")
        assert [row["on"] for row in reply.rows] == ["me", on]
        assert {"name", "token", "grace"} <= set(reply.final.fields)
        assert again.must(f"sync {on} from={reply.rows[1]['seq']}").ok


@quotes("in the same words and after the same work whether there is such an account or not", "A4")
def what_is_wrong_is_wrong_in_the_same_words(address: Address) -> None:
    with account(address) as client, Program(address) as guesser:
        one = guesser.ask(f"login {client.name} :{OTHER}")
        other = guesser.ask(f"login {new_name()} :{OTHER}")
        token = guesser.ask(f"login {client.name} token=nonsense")
        assert one.code == other.code == token.code == "BAD_LOGIN"
        assert one.final.text == other.final.text == token.final.text


@quotes("After three wrong tries the connection is closed with BYE code=LOGIN.", "A5")
@quotes("An address makes three accounts an hour.", "A5")
@quotes("RATE wait=, and the try is not looked at", "A5")
def who_guesses_has_to_wait(start: Start) -> None:
    server = start()
    trace().patient = False  # the refusals are what is checked
    try:
        with account(server.address) as owner:
            name = owner.name
        codes: list[str] = []
        while "RATE" not in codes:
            with Program(server.address) as guesser:
                codes += [guesser.ask(f"login zoe{len(codes)} :{OTHER}").code for _ in range(3)]
                if codes[-1] != "RATE":
                    assert guesser.until("BYE")["code"] == "LOGIN"
                    assert guesser.closed()
        assert codes.count("BAD_LOGIN") == 10
        with Program(server.address) as late:
            assert late.ask(f"login {name} :{PASSWORD}").final.number("wait") > 0
        for _ in range(2):
            account(server.address).close()
        with Program(server.address) as fourth:
            assert fourth.ask(f"register {new_name()} :{PASSWORD}").code == "RATE"
    finally:
        server.stop()


class Proof:
    """The client's side of SCRAM-SHA-256 (RFC 5802)."""

    def __init__(self, name: str, password: str) -> None:
        self._password = password.encode()
        self._bare = f"n={name},r=rOprNGfwEbeRWgbNEkqO"
        self.first = b64encode(f"n,,{self._bare}".encode()).decode()
        self.server = ""

    def final(self, data: str) -> str:
        """The client-final message, given the server-first message."""
        challenge = b64decode(data).decode()
        found = dict(part.split("=", 1) for part in challenge.split(","))
        salted = hashlib.pbkdf2_hmac(
            "sha256", self._password, b64decode(found["s"]), int(found["i"])
        )
        without = f"c=biws,r={found['r']}"
        message = f"{self._bare},{challenge},{without}".encode()
        key = hmac.digest(salted, b"Client Key", "sha256")
        signature = hmac.digest(hashlib.sha256(key).digest(), message, "sha256")
        proof = bytes(a ^ b for a, b in zip(key, signature, strict=True))
        expected = hmac.digest(hmac.digest(salted, b"Server Key", "sha256"), message, "sha256")
        self.server = b64encode(f"v={b64encode(expected).decode()}".encode()).decode()
        return b64encode(f"{without},p={b64encode(proof).decode()}".encode()).decode()


@quotes("auth SCRAM-SHA-256 DATA logs in without sending the password", "A6")
def a_password_is_proved_and_the_server_proves_it_too(address: Address) -> None:
    with account(address) as owner, Program(address) as client:
        proof = Proof(owner.name, PASSWORD)
        first = client.must(f"auth SCRAM-SHA-256 {proof.first}")
        last = client.must(f"auth scram-sha-256 {proof.final(first.rows[0]['data'])}")
        assert (last.rows[0].word, last.rows[0]["data"]) == ("MORE", proof.server)
        assert last["name"] == owner.name


@quotes("auth SCRAM-SHA-256 DATA logs in without sending the password", "A6", "A4")
def who_cannot_prove_it_is_refused(address: Address) -> None:
    with account(address) as owner, Program(address) as client:
        for name in (owner.name, new_name()):
            proof = Proof(name, OTHER)
            first = client.must(f"auth SCRAM-SHA-256 {proof.first}")
            data = proof.final(first.rows[0]["data"])
            assert client.ask(f"auth SCRAM-SHA-256 {data}").code == "BAD_LOGIN"


@quotes("The newest connection wins, as with resume.", "A7")
def the_newest_connection_wins(address: Address) -> None:
    with account(address) as older, Program(address) as newer:
        newer.must(f"login {older.name} :{PASSWORD}")
        bye = older.until("BYE")
        assert (bye["code"], bye["resume"]) == ("REPLACED", "0")
        assert older.closed()
        assert newer.must("whoami")["name"] == older.name


@quotes(
    "The server takes passwords and login tokens only over connections that nobody on the way", "A8"
)
def a_password_is_taken_from_the_same_machine(address: Address) -> None:
    # Elsewhere needs a second machine; tests/host/test_accounts.py has it over fakes.
    with account(address) as client:
        assert client.must("token new")["token"]


@quotes(
    "Each table where the guest sits says so with RENAMED name= was= seat=, after the reply.", "A9"
)
def a_guest_who_registers_takes_the_seat_along(connect: Connect) -> None:
    ann, bob, eve = connect(), connect(), connect()
    on = ann.must("open twentytwo seats=2 clock=0")["on"]
    bob.must(f"join {on}")
    eve.must(f"watch {on}")
    was, name = ann.name, new_name()
    assert ann.must(f"register {name} :{PASSWORD}")["name"] == name
    for client in (ann, bob, eve):
        renamed = client.until("RENAMED")
        assert (renamed["name"], renamed["was"], renamed["seat"]) == (name, was, "1")
        assert "RENAMED" not in [event.word for event in client.catch_up()]
    assert ann.must("ready")["seat"] == "1"


@quotes("Games that the guest has left and that still run are the account's, too.", "A9")
def a_game_that_a_guest_has_left_is_the_accounts(table: Open) -> None:
    made = table(3, "")
    ann, bob, eve = made.seats
    ann.must("leave")
    name = new_name()
    ann.must(f"register {name} :{PASSWORD}")
    bob.must("abort")
    eve.must("abort")
    assert ann.must("history").rows[0]["names"].split(",")[0] == name


@quotes("the viewer whose events show cards= of DEALT sits in that seat", "U1")
def who_logs_in_during_a_game_knows_the_seat_by_its_cards(table: Open) -> None:
    made = table(2, "")
    ann = made.host
    ann.must(f"register {new_name()} :{PASSWORD}")
    ann.catch_up()
    ann.forget()
    ann.must(f"sync {made.on} from=0")
    told = ann.on(made.on)
    dealt = [event["seat"] for event in told if event.word == "DEALT" and "cards" in event]
    assert dealt == ["1"]
    (state,) = of("STATE", ann.must(f"state {made.on}").rows)
    assert state["me"] == "1"


@quotes("The guest's token opens the account until a newer one is used.", "A9")
def the_guests_token_opens_the_account(connect: Connect, address: Address) -> None:
    guest, name = connect(), new_name()
    guest.must(f"register {name} :{PASSWORD}")
    with Program(address) as again:
        assert again.must(f"resume {guest.token}")["name"] == name


@quotes(
    "A guest who would have two seats at one table gets FORBIDDEN, and nothing has changed.", "A9"
)
def nobody_has_two_seats_at_a_table(connect: Connect, address: Address) -> None:
    with account(address) as owner:
        guest = connect()
        on = owner.must("open twentytwo seats=2 clock=0")["on"]
        guest.must(f"join {on}")
        assert guest.ask(f"login {owner.name} :{PASSWORD}").code == "FORBIDDEN"
        assert guest.must("whoami")["name"] == guest.name


@quotes("All tokens become invalid, except the new token= of the answer.", "A10")
def another_password_ends_all_tokens(address: Address) -> None:
    with account(address) as client, Program(address) as other:
        token = client.must("token new")["token"]
        fresh = client.must(f"password three%20blind%20mice :{OTHER}")["token"]
        assert other.ask(f"login {client.name} token={token}").code == "BAD_LOGIN"
        assert other.ask(f"resume {client.token}").code == "BAD_TOKEN"
        assert other.must(f"resume {fresh}")["name"] == client.name


@quotes(
    "token new :LABEL makes a login token, for the owner's own programs, and shows it once", "A11"
)
def a_login_token_is_made_listed_used_and_revoked(address: Address) -> None:
    with account(address) as client:
        token = client.must("token new :my laptop")["token"]
        (row,) = client.must("token list").rows
        assert (row["no"], row["label"]) == ("1", "my%20laptop")
        assert token not in row.line
        client.must("token revoke 1")
        assert client.must("token list").rows == []
        with Program(address) as other:
            assert other.ask(f"login {client.name} token={token}").code == "BAD_LOGIN"
        token = client.must("token new")["token"]
        with Program(address) as other:
            assert other.must(f"login {client.name} token={token}")["name"] == client.name


KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFRXRU5UWVRXTyBvZmZlcnMgYSBrZXkgdG8gbm9ib2R5"
"""A public key for which nobody has the private one."""


@quotes("keys add :KEY adds a public key of SSH to the account, a line as in a .pub file", "A15")
def a_key_is_added_listed_and_removed(address: Address) -> None:
    with account(address) as client:
        client.must(f"keys add :{KEY} my laptop")
        (row,) = client.must("keys").rows
        assert (row["no"], row["kind"], row["label"]) == ("1", "ssh-ed25519", "my%20laptop")
        assert row["fingerprint"].startswith("SHA256:")
        client.must("keys remove 1")
        assert client.must("keys").rows == []


@quotes("answers with a row PROFILE name= here=, with made= for an account", "A12")
def a_profile_is_shown(connect: Connect, address: Address) -> None:
    with account(address) as client:
        asker = connect()
        (row,) = asker.must(f"profile {client.name}").rows
        assert (row.word, row["name"], row["here"]) == ("PROFILE", client.name, "1")
        assert "made" in row
        assert "made" not in asker.must("profile").rows[0]


@quotes("A person who leaves the password out is asked for it.", "A13")
def a_person_is_asked_for_the_password(stranger: Person, name: str) -> None:
    stranger.send(f"register {name}", PASSWORD, PASSWORD)
    shown = [stranger.line()]
    shown += stranger.until("takes your seat back.")
    assert not any("mice" in line for line in shown)
    assert stranger.tell("whoami") == [f"You are {name}."]


@quotes("an empty line gives up", "A13")
def an_empty_line_gives_up(stranger: Person, name: str) -> None:
    stranger.send(f"register {name}", "", name)
    assert stranger.until("Welcome")[-1].startswith(f"Welcome, ~{name}")


@quotes("While a password is typed the server offers to echo", "P8", "A13")
@cases("spoken", [b"", bytes([255, 253, 3])], ids=["silent so far", "not silent"])
def a_terminal_that_speaks_telnet_shows_no_password(
    stranger: Person, name: str, spoken: bytes
) -> None:
    will, wont = bytes([255, 251, 1]), bytes([255, 252, 1])
    stranger.write(spoken + f"register {name}\r\n".encode())
    line = stranger.raw_line()
    assert will + b"\r\0" in line
    stranger.write(bytes([255, 253, 1]) + f"{PASSWORD}\r\n{PASSWORD}\r\n".encode())
    # The rest of the first question, the second one, and what the server makes of the answers.
    assert wont in b"".join(stranger.raw_line() for _ in range(3))


@quotes("are there again after the server was stopped or killed", "A14")
def an_account_outlives_the_server(start: Start, folder: str) -> None:
    server = start("--dev", "--data", folder)
    with account(server.address, "annie") as client:
        on = client.must("open twentytwo seats=2 clock=0")["on"]
        token = client.must("token new")["token"]
    server.stop()
    server = start("--dev", "--data", folder)
    try:
        with Program(server.address) as again:
            assert again.must(f"resume {client.token} {on}:0")["name"] == "annie"
        with Program(server.address) as other:
            assert other.must(f"login annie token={token}")["name"] == "annie"
            assert other.ask(f"register ann1e :{PASSWORD}").code == "FORBIDDEN"
    finally:
        server.stop()


@quotes("two clients have it: from then on none opens anything", "C3")
def a_token_used_twice_ends_the_chain(connect: Connect, address: Address) -> None:
    guest = connect()
    with Program(address) as second, Program(address) as third, Program(address) as fourth:
        fresh = second.must(f"resume {guest.token}")["token"]
        newest = third.must(f"resume {fresh}")["token"]
        assert fourth.ask(f"resume {guest.token}").code == "BAD_TOKEN"
        assert third.until("WARN")["code"] == "TOKEN_REVOKED"
        while (refused := fourth.ask(f"resume {newest}")).code == "BUSY":
            time.sleep(0.1)  # another server is still storing that it is revoked
        assert refused.code == "BAD_TOKEN"


# ---------------------------------------------------------------------------- ratings


def rated(address: Address, *, bots: bool = False) -> Table:
    """A started rated game."""
    hello = HELLO + (" bot=1" if bots else "")
    ann, bob = account(address, hello=hello), account(address, hello=hello)
    return seated("open twentytwo seats=2 clock=0 rated=1", ann, bob)


@quotes("After a game that counts every player gets RATED", "Q3", "Q1")
@quotes("answers with a row RATING name= game= rules= pool= rating= rd= games=", "Q4")
@cases("bots", [False, True])
def a_game_that_counts_is_rated(address: Address, bots: bool) -> None:
    table = rated(address, bots=bots)
    assert table.play(answer, turns=2000)
    for client in table.seats:
        event = client.until("RATED")
        (row,) = client.must("rating").rows
        assert event["on"] == "me"
        assert (row["rating"], row["games"]) == (event["new"], "1")
        assert row["pool"] == ("bots" if bots else "people")
        best = client.must(f"ranks twentytwo rules={row['rules']} pool={row['pool']} n=100").rows
        assert client.name in [each["name"] for each in best]
        assert [each["rank"] for each in best] == [str(n) for n in range(1, len(best) + 1)]
    table.close()


@quotes("At such a table only accounts sit, all of them people or all programs", "Q1")
def at_a_rated_table_only_accounts_sit(connect: Connect, address: Address) -> None:
    guest = connect()
    assert guest.ask("open twentytwo rated=1").code == "FORBIDDEN"
    with account(address) as owner:
        on = owner.must("open twentytwo rated=1")["on"]
        assert guest.ask(f"join {on}").code == "FORBIDDEN"
        assert owner.ask(f"addbot {on}").code in ("FORBIDDEN", "BAD_ARG")
        assert owner.ask("option limit 10").code == "FORBIDDEN"
        for line in ("options=limit:10", "bots=1", "seed=3"):
            assert owner.ask(f"open twentytwo rated=1 {line}").code in ("BAD_ARG", "FORBIDDEN")


@quotes(
    "If a player leaves a game that counts, a bot takes the seat, and its result is the player's",
    "Q2",
)
def who_leaves_is_rated_all_the_same(address: Address) -> None:
    table = rated(address)
    ann, bob = table.seats
    bob.must("leave")
    while True:
        ann.catch_up()
        if any(event.word == "GAMEOVER" for event in ann.on(table.on)):
            break
        turn = next(e for e in reversed(ann.events) if e.word == "TURN")
        if turn.mine:
            ann.must(answer(turn))
    ann.until("RATED")
    assert len(bob.must("rating").rows) == 1
    table.close()
