"""The SDK in JavaScript: its own tests, its types, its package, a client's duties, the examples.

Without Node all of this is skipped, and without the compiler (`npm ci` in client/web, by make) the
types.
"""

from __future__ import annotations

import gzip
import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.quoting import ROOT, quotes
from tests.conformance.servers import Server
from tests.docs.test_bots import CODE, install_sdk
from tests.docs.test_sdk_page import PAGE
from tests.kit import processes
from tests.kit.certificates import certificate
from twentytwo_conform.client_suite import DUTIES, run
from twentytwo_conform.client_suite.scripted_server import OF_PLAYERS
from twentytwo_conform.report import Verdict
from twentytwo_protocol import __version__

HERE = Path(__file__).parent
WEB = ROOT / "client" / "web"
SDK = WEB / "sdk"
COMPILER = WEB / "node_modules" / "typescript" / "bin" / "tsc"
NODE = shutil.which("node") or ""

pytestmark = pytest.mark.skipif(not NODE, reason="node is not on this machine")
compiled = pytest.mark.skipif(not COMPILER.exists(), reason="no compiler: npm ci in client/web")

FRAME = """\
import * as twentytwo from "twentytwo";

const server = await twentytwo.connect("localhost:2222", {{ name: "robin" }});
const table = await server.practice({{ bots: 2, seed: 3, first_hand: 5 }});
{body}
await server.leave();
"""
"""The program around an example that is not a whole program."""


def node(*words: str | Path, folder: Path = HERE) -> str:
    """Runs Node; returns the output of a program that ended well."""
    return output(NODE, *words, folder=folder)


def output(*words: str | Path, folder: Path) -> str:
    """Runs a program in a folder; returns the output of one that ended well."""
    done = subprocess.run(
        [*map(str, words)], cwd=folder, capture_output=True, text=True, check=False, timeout=100
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def examples() -> list[str]:
    """The examples of the page as programs."""
    found = re.findall(r"^```js\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    whole = re.compile(r"^const server = ", re.MULTILINE)
    return [code if whole.search(code) else FRAME.format(body=code) for code in found]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which the SDK is installed as a package."""
    install_sdk(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    made = Server("--dev", "--bot-pause", "0")
    yield ":".join(map(str, made.address))
    made.stop()


def test_the_tests_in_javascript() -> None:
    report = node("--test", "--test-reporter=tap", *sorted(HERE.glob("*.test.mjs")))
    assert "# fail 0" in report


def test_the_examples_run(server: str, folder: Path) -> None:
    for no, program in enumerate(examples()):
        (folder / f"{no}.mjs").write_text(program.replace("localhost:2222", server), "utf-8")
        node(f"{no}.mjs", folder=folder)
    assert no > 4


@pytest.mark.parametrize("watching", [False, True], ids=["plays", "watches"])
@pytest.mark.deadline(300)
def test_the_shortest_bot_does_every_duty(folder: Path, watching: bool) -> None:
    program, *_ = examples()
    program = program.replace('"localhost:2222"', 'process.argv.slice(2).join(":")')
    listing = 'await server.listing("TABLE", "tables");\n'
    program = program.replace("const table", f"{listing}const table", 1)
    if watching:
        program = program.replace("server.practice({ bots: 3 })", 'server.watch("t7")')
    (folder / "bot.mjs").write_text(program, encoding="utf-8")
    report = run(shlex.join([NODE, str(folder / "bot.mjs")]))
    passed = {duty for duty, found in report.verdicts.items() if found is Verdict.PASS}
    assert passed == set(DUTIES) - (OF_PLAYERS if watching else set()), str(report)


def test_the_bot_of_the_guide_has_its_duties_right(folder: Path) -> None:
    (folder / "bot.mjs").write_text(CODE["bot.mjs"], encoding="utf-8")
    report = run(shlex.join([NODE, str(folder / "bot.mjs"), "{host}", "{port}", "practice"]))
    assert report.failed == (), str(report)


ACCOUNT = """\
import { readFileSync } from "node:fs";
import { connect } from "twentytwo";

const [address, ca] = process.argv.slice(2);
const options = { name: "annie", ca: readFileSync(ca, "utf8") };
const guest = await connect(address, options);
await guest.command("register annie :three blind mice");
await guest.leave();
const server = await connect(address, { ...options, password: "three blind mice" });
console.log(server.name);
await server.leave();
await connect(address, { ...options, password: "three blind rats" }).catch(({ code }) =>
  console.log(code));
await connect(address, { name: "bob" }).catch(() => console.log("no trust"));
const other = await connect(address, { ...options, name: "carl" });
const table = await other.practice({ bots: 1 });
await other.logIn("annie", "three blind rats").catch(({ code }) => console.log(code, other.name));
await other.logIn("annie", "three blind mice");
await other.until(() => table.state.seats.get(table.state.me)?.name === "annie");
await other.until(() => table.question);
console.log(other.name, await table.play(table.question?.default));
await other.leave();
"""
PLAYS = """\
import { connect } from "twentytwo";

const server = await connect(process.argv[2], { name: "robin", bot: true });
const table = await server.practice({ bots: 1, seed: 2, limit: 10 });
for await (const question of table.questions()) await question.play(question.default);
console.log(Object.keys(table.places).length);
await server.leave();
"""


def test_an_account_is_proved_over_tls(folder: Path) -> None:
    files = certificate(folder)
    (folder / "account.mjs").write_text(ACCOUNT, encoding="utf-8")
    with processes.Server("--listen", "tls:localhost:0", *files.options) as server:
        _, port = server.address("tls:")
        said = node("account.mjs", f"tls://localhost:{port}", files.ca, folder=folder)
    expected = ["annie", "BAD_LOGIN", "no trust", "BAD_LOGIN ~carl", "annie true", ""]
    assert said.split("\n") == expected


def test_a_game_over_websocket(folder: Path) -> None:
    flag = "--experimental-websocket"
    if flag not in node("--print", "[...process.allowedNodeEnvironmentFlags].join()"):
        pytest.skip("this Node has no WebSocket")
    (folder / "plays.mjs").write_text(PLAYS, encoding="utf-8")
    with processes.Server("--listen", "ws:127.0.0.1:0", "--bot-pause", "0") as server:
        host, port = server.address("ws:")
        said = node(flag, "plays.mjs", f"ws://{host}:{port}/", folder=folder)
    assert said == "2\n"


def test_a_game_goes_on_over_connections_that_are_cut(server: str) -> None:
    cuts, fair = node("cuts.mjs", *server.split(":"), "3", "twentytwo").split()
    assert int(cuts) > 3
    assert fair == "OK"


STATES = """\
import assert from "node:assert/strict";
import { connect } from "twentytwo";

const server = await connect(process.argv[2], { name: "robin", bot: true });
const seats = { twentytwo: 3, twentysix: 3, whist22: 3, twentyeight: 4 };
for (const [game, players] of Object.entries(seats)) {
  const more = game === "twentyeight" ? { target: 1, loss_limit: 1 } : {};
  const table = await server.practice({ game, bots: players - 1, seed: 7, ...more });
  for await (const question of table.questions()) {
    const { wishes, ...known } = table.state.copy();
    await server.command(`state ${table.on}`);
    const { wishes: _, ...told } = table.state;
    for (const each of [known, told]) {
      const { re, ...hand } = each.hand ?? {};
      each.standing = each.standing.map(({ on, seq, re, text, ...event }) => event);
      each.hand = { no: hand.no, dealer: hand.dealer, size: hand.size, stock: hand.stock };
      each.game = each.game.id;
      each.committed = each.committed.hash;
      each.holding = [...each.holding].sort();
      each.seats = new Map([...each.seats].sort(([a], [b]) => a - b));
    }
    assert.deepEqual(known, told);
    const chosen = question.cardsFor().slice(-1);
    const [move = question.default] = question.movesWith(chosen);
    assert.equal(await question.play(move), true);
  }
  console.log(game, Object.keys(table.places).length);
}
await server.leave();
"""


@quotes("The model built from `state` equals the model built from the events", "S4")
def test_the_model_of_every_game_is_that_of_its_snapshots(server: str, folder: Path) -> None:
    (folder / "states.mjs").write_text(STATES, encoding="utf-8")
    said = node("states.mjs", server, folder=folder)
    assert said.split() == ["twentytwo", "3", "twentysix", "3", "whist22", "3", "twentyeight", "4"]


def loaded(module: str) -> set[Path]:
    """The modules that a page loads with one of them, without those for a password."""
    found, todo = set[Path](), {SDK / module}
    while todo:
        path = todo.pop()
        found.add(path)
        names = re.findall(
            r'^(?:import|export|\}) .*?from "(.*?)";', path.read_text("utf-8"), re.MULTILINE
        )
        todo |= {SDK / name for name in names} - found
    return found


def test_a_page_loads_only_what_it_needs_and_not_much() -> None:
    page = loaded("index.js")
    names = {path.name for path in page}
    later = {"node.js", "framing.js", "scram.js", "event-link.js"}
    assert names == {path.name for path in SDK.glob("*.js")} - later
    sent = sum(len(gzip.compress(path.read_bytes(), 9)) for path in page)
    told = re.search(r"modules without any dependency, (\d+) kB", PAGE)
    assert told and sent < int(told[1]) * 1000 <= sent * 1.05


@compiled
def test_the_types_are_right(folder: Path) -> None:
    for no, program in enumerate([*examples(), CODE["bot.mjs"]]):
        (folder / f"{no}.mjs").write_text(program, encoding="utf-8")
    settings = {
        "extends": str(WEB / "tsconfig.json"),
        "compilerOptions": {
            "typeRoots": [str(WEB / "node_modules" / "@types")],
            "paths": {"twentytwo": [str(SDK / "node.js")]},
        },
        "include": [str(WEB / "*" / "*.js"), str(HERE / "*.mjs"), "*.mjs"],
        "exclude": [str(WEB / "page" / "sw.js"), str(WEB / "node_modules")],
    }
    (folder / "tsconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    node(COMPILER, "--project", folder)


def test_the_package_has_the_version_of_the_protocol() -> None:
    assert json.loads((SDK / "package.json").read_text("utf-8"))["version"] == __version__


def test_the_readme_has_every_module() -> None:
    readme = (SDK / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| (`.*?`) \|", readme, re.MULTILINE)
    told = {name for row in rows for name in re.findall(r"`([\w-]+)`", row)}
    assert told == {path.stem for path in SDK.glob("*.js")}


PACKED = """\
import { connect, type Question, type Table, Refused } from "twentytwo";
import { TableModel } from "twentytwo/model.js";

const server = await connect("localhost", { name: "robin" });
const table: Table = await server.join("t7");
const question: Question | undefined = table.question;
const rows: { on: string }[] = await server.listing("TABLE", "tables");
for await (const event of table) if (event.ev === "PLAYED") event.cards.map((card) => card.length);
// @ts-expect-error: there is no such field
new Refused({ ev: "ERR", re: "1", code: "RATE", class: "limit" }).cdoe;
console.log(question?.hand.length, rows.length, new TableModel("t7").seats.get(1)?.n);
"""


@compiled
def test_the_package_can_be_packed_and_imported(tmp_path: Path) -> None:
    web = tmp_path / "web"
    shutil.copytree(WEB, web, ignore=shutil.ignore_patterns("node_modules"))
    (web / "node_modules").symlink_to(WEB / "node_modules")
    npm = shutil.which("npm")
    assert npm, "it has installed the compiler"
    (packed,) = json.loads(output(npm, "pack", "--json", folder=web / "sdk"))
    names = {file["path"] for file in packed["files"]}
    assert {
        "README.md",
        "package.json",
        "words.js",
        "types/index.d.ts",
        "types/words.d.ts",
    } <= names
    assert not any(name.endswith((".tgz", ".json")) for name in names - {"package.json"})

    installed = tmp_path / "node_modules" / "twentytwo"
    installed.mkdir(parents=True)
    shutil.unpack_archive(web / "sdk" / packed["filename"], tmp_path)
    shutil.copytree(tmp_path / "package", installed, dirs_exist_ok=True)
    exported = "Object.keys(await import('twentytwo')).sort().join()"
    said = node("--input-type=module", "-e", f"console.log({exported})", folder=tmp_path)
    assert {"Refused", "TableModel", "connect"} <= {*said.strip().split(",")}

    (tmp_path / "uses.mts").write_text(PACKED, encoding="utf-8")
    options = ("--strict", "--noEmit", "--module", "nodenext", "--target", "es2022")
    node(COMPILER, *options, "--lib", "es2022,dom", "uses.mts", folder=tmp_path)
