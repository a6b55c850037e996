"""The settings: declared once, read from a file, the environment and flags, and checked."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from tests.kit.cases import together
from tests.kit.certificates import certificate
from twentytwo_server.cli import main
from twentytwo_server.config.flags import configuration, setting_flags
from twentytwo_server.config.manual import manual
from twentytwo_server.config.paths import data_of
from twentytwo_server.config.reading import BadConfig, file_of, read
from twentytwo_server.config.settings import ServerSettings, settings, value_of
from twentytwo_server.host.config import Config, Registration
from twentytwo_server.limits.connections import Limits
from twentytwo_server.limits.logins import LoginQuota
from twentytwo_server.limits.quotas import AddressQuota


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "twentytwo.toml"
    file.write_text(text, encoding="utf-8")
    return file


def complaints(file: Path | None, environment: dict[str, str] | None = None) -> list[str]:
    with pytest.raises(BadConfig) as bad:
        read(file, environment or {}, {})
    return [each.removeprefix(f"{file}: ") for each in bad.value.complaints]


NO_SETTINGS = {"boot", "clustered", "dev", "logins", "node", "quotas"}
"""What of the world's configuration an operator does not write into a file."""


@together("kind", [Config, Limits, LoginQuota, AddressQuota])
def test_whatever_can_be_configured_is_a_setting(kind: type[Any]) -> None:
    names = {each.name for each in dataclasses.fields(kind)} - NO_SETTINGS
    declared = {each.partition(".")[2] for each in settings()}
    assert names <= declared


def test_every_setting_says_why_and_has_a_default_that_it_allows() -> None:
    for path, each in settings().items():
        assert re.fullmatch(r"(?s)[A-Z0-9$].{10,}[.]", each.declared.reason), path
        (kept,) = tomllib.loads(f"x = {each.written(each.default)}").values()
        assert each.read(kept) == each.default, path
        assert len(f"{each.variable}=") < 60


def test_no_two_settings_have_the_same_variable_or_flag() -> None:
    variables = [each.variable for each in settings().values()]
    flags = [each.declared.flag for each in settings().values() if each.declared.flag]
    assert len(set(variables)) == len(variables)
    assert len(set(flags)) == len(flags)


def test_the_default_file_sets_nothing_and_uncommented_it_sets_every_default(
    tmp_path: Path,
) -> None:
    assert not any(tomllib.loads(manual()).values())
    every = re.sub(r"(?m)^#(?=\w)", "", manual())
    found = tomllib.loads(every)
    assert {f"{s}.{key}" for s, keys in found.items() for key in keys} == set(settings())
    assert read(written(tmp_path, every), {}, {}).settings == ServerSettings()
    assert max(map(len, manual().splitlines())) <= 100


def test_a_flag_goes_over_the_environment_and_that_over_the_file(tmp_path: Path) -> None:
    file = written(tmp_path, '[server]\nname = "a"\nmotd = "a"\ngrace = 60\n[limits]\nrate = 3\n')
    environment = {"TWENTYTWO_SERVER_MOTD": "b", "TWENTYTWO_SERVER_GRACE": "70"}
    found = read(file, environment, {"server.grace": 80_000}).settings
    assert (found.server.name, found.server.motd, found.server.grace) == ("a", "b", 80_000)
    assert found.limits.rate == 3
    assert found.limits.burst == Limits().burst


def test_a_file_that_is_named_goes_before_the_one_of_the_environment(tmp_path: Path) -> None:
    files = {each: tmp_path / f"{each}.toml" for each in ("flag", "environment")}
    for name, file in files.items():
        file.write_text(f'[server]\nname = "{name}"\n', encoding="utf-8")
    env = {"TWENTYTWO_CONFIG": str(files["environment"])}
    assert file_of(env, files["flag"]) == files["flag"]
    assert file_of(env, None) == files["environment"]

    @click.command
    @setting_flags
    def named(**given: Any) -> None:
        click.echo(configuration(given, None).settings.server.name)

    run = CliRunner(env=env).invoke
    assert run(named, ["--config", str(files["flag"])]).output == "flag\n"
    assert run(named, []).output == "environment\n"


def test_everything_that_is_wrong_is_named_by_its_path(tmp_path: Path) -> None:
    text = """
        name = "x"
        [limitts]
        [server]
        registration = "perhaps"
        grace = 0.5
        motdd = ""
        think = 20.5
        plaintext_login = 1
        [limits]
        rate = nan
        burst = true
        unread = 63.9
        [listen]
        endpoints = 2222
        tls_cert = "one.pem"
    """
    assert complaints(written(tmp_path, text), {"TWENTYTWO_LIMITS_TOO_LONG": "many"}) == [
        "name: no such section",
        "limitts: no such section; did you mean limits?",
        'server.registration: must be "open", "invite", "closed", not "perhaps"',
        "server.grace: must be a number of seconds, 1 to 86400, not 0.5",
        "server.motdd: no such setting; did you mean server.motd?",
        "server.think: must be a whole number of milliseconds, 10 to 5000, not 20.5",
        "server.plaintext_login: must be true or false, not 1",
        "limits.rate: must be a number a second, at least 0.001, not nan",
        "limits.burst: must be a number, at least 1, not True",
        "limits.unread: must be a number of KiB, at least 64, not 63.9",
        "listen.endpoints: must be a text or a list of texts, not 2222",
        'TWENTYTWO_LIMITS_TOO_LONG: must be a whole number, at least 1, not "many"',
    ]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("[server", "Expected ']'"),
        ("server = 1", "server: must be a section: [server]"),
        ("[server]\nname = 'a'\nname = 'b'", "Cannot overwrite a value"),
    ],
)
def test_what_is_no_configuration_at_all_is_one_complaint(
    tmp_path: Path, text: str, wrong: str
) -> None:
    (only,) = complaints(written(tmp_path, text))
    assert wrong in only


def test_a_file_that_is_not_there_or_no_text_is_a_complaint(tmp_path: Path) -> None:
    assert complaints(tmp_path / "none") == ["No such file or directory"]
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    assert complaints(tmp_path / "bytes") == ["not a UTF-8 text file"]


@pytest.mark.parametrize(
    ("variable", "text", "path", "value"),
    [
        ("TWENTYTWO_LISTEN_ENDPOINTS", "a:1, [::]:2,", "listen.endpoints", ("a:1", "[::]:2")),
        ("TWENTYTWO_SERVER_PLAINTEXT_LOGIN", "TRUE", "server.plaintext_login", True),
        ("TWENTYTWO_SERVER_PLAINTEXT_LOGIN", "0", "server.plaintext_login", False),
        ("TWENTYTWO_SERVER_REGISTRATION", "closed", "server.registration", Registration.CLOSED),
        ("TWENTYTWO_LIMITS_FIRST_LINE", "1.5", "limits.first_line", 1500),
        ("TWENTYTWO_LIMITS_UNREAD", "2048", "limits.unread", 2 << 20),
        ("TWENTYTWO_LIMITS_CHAT_RATE", "1", "limits.chat_rate", 1.0),
        ("TWENTYTWO_SERVER_MOTD", "Hi, 'all' \"\\ \x1b", "server.motd", "Hi, 'all' \"\\ \x1b"),
    ],
)
def test_the_environment_says_the_same_as_the_file(
    tmp_path: Path, variable: str, text: str, path: str, value: object
) -> None:
    by_environment = read(None, {variable: text}, {}).settings
    assert value_of(by_environment, path) == value
    section, _, key = path.partition(".")
    file = written(tmp_path, f"[{section}]\n{key} = {settings()[path].written(value)}\n")
    assert read(file, {}, {}).settings == by_environment


@pytest.mark.parametrize(
    ("flag", "path"),
    [("--allow-plaintext-login", "server.plaintext_login"), ("--no-web", "listen.web")],
)
def test_a_flag_without_a_value_changes_its_setting_and_only_where_it_stands(
    tmp_path: Path, flag: str, path: str
) -> None:
    found = []

    @click.command()
    @setting_flags
    def command(**given: Any) -> None:
        found.append(value_of(configuration(given, None).settings, path))

    section, _, key = path.partition(".")
    usual = settings()[path].default
    file = written(tmp_path, f"[{section}]\n{key} = {settings()[path].written(not usual)}\n")
    for words in ([], [flag], ["--config", str(file)]):
        assert CliRunner().invoke(command, words).exit_code == 0
    assert found == [usual, not usual, not usual]


def test_variables_of_others_are_no_error_but_are_named() -> None:
    found = read(None, {"TWENTYTWO_PORT": "tcp://10.0.0.1:2222", "TWENTYTWO_CONFIG": "x"}, {})
    assert found.unknown_variables == ("TWENTYTWO_PORT",)
    assert found.settings == ServerSettings()


def test_config_prints_the_file_and_checks_one(tmp_path: Path) -> None:
    run = CliRunner(env={"TWENTYTWO_CONFIG": None}).invoke
    printed = run(main, ["config", "--default"])
    assert (printed.exit_code, printed.output) == (0, manual())
    good = written(tmp_path, printed.output)
    checked = run(main, ["config", "--check", str(good)])
    assert (checked.exit_code, checked.output) == (0, "ok\n")
    bad = run(main, ["config", "--check"], env={"TWENTYTWO_SERVER_GRACE": "0"})
    assert bad.exit_code == 1
    assert bad.output.startswith("TWENTYTWO_SERVER_GRACE: must be")
    for words in ([], ["--default", "--check"], ["--default", str(good)]):
        assert run(main, ["config", *words]).exit_code == 2


def checked(file: Path) -> list[str]:
    """The lines of `config --check`, whose status is 1."""
    done = CliRunner(env={"TWENTYTWO_CONFIG": None}).invoke(main, ["config", "--check", str(file)])
    assert done.exit_code == 1
    return done.output.splitlines()


def test_a_check_opens_all_that_run_opens_and_names_all_faults_at_once(tmp_path: Path) -> None:
    missing = tmp_path / "none.pem"
    file = written(
        tmp_path,
        "[server]\ngrace = 0\n"
        '[listen]\nendpoints = ["tls:127.0.0.1:0", "proxy:127.0.0.1:1", "127.0.0.1:1"]\n'
        f'tls_cert = "{missing}"\n'
        '[store]\ndata = "mysql://host/cards"\n'
        "[limits]\nping_after = 30\ngone_after = 30\n"
        "[logins]\nshortest = 61\n",
    )
    first, *others = checked(file)
    assert first.startswith(f"{file}: server.grace: must be")
    assert others == [
        "limits.gone_after: must be more than limits.ping_after (30), not 30",
        "logins.longest: must be at least logins.shortest (61), not 60",
        f"listen: {missing}: No such file or directory",
        "listen: proxy: needs --trusted-proxy ADDRESS, that of the proxy",
        "listen: 127.0.0.1:1: this server itself listens there already",
        "store.data: the store is a folder or postgresql://..., not mysql://",
    ]


def test_a_key_that_belongs_to_another_certificate_is_found_by_a_check(tmp_path: Path) -> None:
    one, two = certificate(tmp_path / "one"), certificate(tmp_path / "two")
    listen = f'[listen]\nendpoints = ["wss:127.0.0.1:0"]\ntls_cert = "{one.certificate}"\n'
    file = written(tmp_path, f'{listen}tls_key = "{two.key}"\n')
    assert checked(file) == [f"listen: {two.key} is not the key of {one.certificate}"]


def test_what_follows_from_a_wrong_setting_is_no_fault_of_its_own(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        '[listen]\nendpoints = ["proxy:127.0.0.1:1"]\ntrusted_proxies = ["10.0.0.300"]\n'
        '[limits]\nping_after = 100\ngone_after = "x"\n',
    )
    trusted, gone = checked(file)
    assert "10.0.0.300" in trusted
    assert "limits.gone_after: must be a number of seconds" in gone


@together(
    ("origin", "sent"),
    [
        ("https://cards.example.org", True),
        ("http://localhost:2223", True),
        ("https://[2001:db8::5]:8443", True),
        ("*", True),
        ("null", True),
        ("https://cards.example.org/", False),
        ("https://Cards.example.org", False),
        ("https://cards.example.org:443", False),
        ("http://cards.example.org:80", False),
        ("cards.example.org", False),
        ("", False),
    ],
)
def test_an_origin_that_no_browser_sends_is_refused(origin: str, sent: bool) -> None:
    wanted = settings()["listen.origins"]
    if sent:
        assert wanted.read([origin]) == (origin,)
    else:
        with pytest.raises(ValueError, match="no browser sends that"):
            wanted.read([origin])


def test_where_nothing_is_said_data_is_where_it_was_or_in_the_state_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/ann")
    assert data_of("/var/lib/twentytwo", {}) == "/var/lib/twentytwo"
    assert data_of("", {"XDG_STATE_HOME": "/state"}) == "/state/twentytwo"
    assert data_of("", {"XDG_STATE_HOME": "state"}) == "/home/ann/.local/state/twentytwo"
    assert data_of("", {}) == "/home/ann/.local/state/twentytwo"
    (tmp_path / "data").mkdir()
    assert data_of("", {}) == "/home/ann/.local/state/twentytwo"
    (tmp_path / "data" / "twentytwo.db").touch()
    assert data_of("", {}) == "data"
