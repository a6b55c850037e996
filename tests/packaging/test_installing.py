"""A source distribution, a wheel made from it, and both commands of it in an empty environment."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.kit.processes import Plain, Server, plain
from tests.walls.source import PACKAGES, ROOT
from twentytwo_protocol import __version__


def run(*words: str | Path, cwd: Path, text: str = "") -> str:
    """What a program prints. Raises where it fails."""
    done = subprocess.run(
        list(map(str, words)), cwd=cwd, input=text, capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _build(kind: str, source: Path, folder: Path) -> Path:
    run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", folder, cwd=source)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made as pipx makes it: from what is in the source distribution, and nothing else."""
    source = tmp_path_factory.mktemp("source")
    with tarfile.open(sdist) as archive:
        archive.extractall(source, filter="data")
    return _build("wheel", next(source.iterdir()), tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment in which the wheel is installed and nothing else.

    What it depends on it finds among the packages of the tests: nothing is fetched. The project
    itself is not found there, for lines in a .pth that add to the path are not followed twice.
    """
    venv = tmp_path_factory.mktemp("empty") / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", venv, cwd=venv.parent)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", venv)
    run(*pip, "install", "--quiet", "--no-deps", "--no-index", wheel, cwd=venv.parent)
    (site,) = venv.glob("lib/python*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return venv / "bin"


def tracked(*where: Path) -> set[str]:
    """The files of the repository; skips the test where there is none."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout: which files belong to it is known to git")
    return set(run("git", "ls-files", *where, cwd=ROOT).split())


def _names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_has_every_file_of_the_packages(wheel: Path) -> None:
    parents = {package.parent for package in PACKAGES.values()}
    wanted = {
        str((ROOT / name).relative_to(p))
        for name in tracked(*PACKAGES.values())
        for p in parents
        if p in (ROOT / name).parents
    }
    assert wanted <= _names(wheel)
    assert {f"{package}/py.typed" for package in PACKAGES} <= wanted


def test_the_wheel_has_the_page_and_its_sdk(wheel: Path) -> None:
    for folder in ("page", "sdk"):
        there = ROOT / "client" / "web" / folder
        wanted = {(ROOT / name).relative_to(there).as_posix() for name in tracked(there)}
        assert wanted
        assert {f"twentytwo_web/{folder}/{name}" for name in wanted} <= _names(wheel)


def test_the_wheel_has_no_tests(wheel: Path) -> None:
    tops = {name.partition("/")[0] for name in _names(wheel)}
    own = f"twentytwo-{__version__}"
    assert tops - PACKAGES.keys() == {f"{own}.dist-info", f"{own}.data", "twentytwo_web"}
    assert f"{own}.data/data/share/man/man1/twentytwo-server.1" in _names(wheel)


def test_the_source_distribution_has_the_tests_and_no_leftovers(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {name for name in tracked() if not name.startswith(".ci/")}
    assert wanted <= names
    assert not {name for name in names - wanted if name.startswith(".")}


def test_a_hand_is_played_on_the_installed_server(programs: Path, tmp_path: Path) -> None:
    where = run(
        programs / "python", "-c", "import twentytwo_server as s; print(s.__file__)", cwd=tmp_path
    )
    assert Path(where).is_relative_to(programs.parent)
    executable = str(programs / "twentytwo-server")
    options = ("--port", "0", "--listen", "ws:127.0.0.1:0", "--data", str(tmp_path / "data"))
    with (
        Server(*options, program=("run",), python=executable) as server,
        plain(server.address()) as peer,
    ):
        _play_a_hand(peer)
        host, port = server.address("ws:")
        with urlopen(f"http://{host}:{port}/sdk/index.js") as file:
            assert file.read() == (ROOT / "client" / "web" / "sdk" / "index.js").read_bytes()
        status, _, _ = server.stop()
    assert status == 0
    assert run(executable, "check", "--data", tmp_path / "data", cwd=tmp_path) == "ok\n"


def _play_a_hand(peer: Plain) -> None:
    peer.send("hello 1 client=test\r\nguest ann\r\npractice bots=1 seed=22\r\n")
    while not (line := peer.line()).startswith("HANDOVER "):
        default = next((w for w in line.split() if w.startswith("default=")), None)
        if default is not None:
            peer.send(f"move {default.removeprefix('default=')}\r\n")


def test_a_hand_is_played_with_the_installed_client(programs: Path, tmp_path: Path) -> None:
    client = programs / "twentytwo"
    assert run(client, "--version", cwd=tmp_path) == f"twentytwo {__version__}\n"
    said = run(
        client,
        "practice",
        "--bots",
        "1",
        "--seed",
        "22",
        cwd=tmp_path,
        text="exchange q k k\n2 2\nleave\nquit\n",
    )
    assert "You lead 2S 2H" in said
