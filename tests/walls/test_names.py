"""One meaning a word: two public classes of a package never have the same name, and names are terms
that people who build servers and play cards know already.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping

import pytest

from tests.kit.cases import together
from tests.walls.source import PACKAGES, modules

GAMES = "twentytwo_server.games."
EACH_ITS_OWN = {
    *("Drawing", "Dealing", "Bidding", "Playing", "Over", "Standing"),
    *("Bids", "Plays", "Easy", "Steady"),
    *("CardCount", "Knowledge", "Rollout"),
}
"""Words for the same thing in every game, each game's in its own folder: see decision 17."""

PRIVATE = {
    *("toll", "doors", "desk", "taste", "course", "board", "becoming", "rehearsal", "shows"),
    *("thinking", "reach", "outlook", "keyring", "comings", "overheard", "reckoning"),
    *("gathering", "draft", "sight", "salvaging", "tournament"),
}
"""Words that once meant something in this program only. Others have a term for each."""


def classes(module: ast.Module) -> Iterator[str]:
    """The public classes that a module declares."""
    for node in module.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name


def twice(trees: Mapping[str, ast.Module]) -> dict[str, list[str]]:
    """The names of several classes, each with its modules; without what games may share."""
    declared: dict[str, list[str]] = defaultdict(list)
    for module, tree in trees.items():
        for name in classes(tree):
            declared[name].append(module)
    return {
        name: where
        for name, where in sorted(declared.items())
        if len(where) > 1 and not (name in EACH_ITS_OWN and in_different_games(where))
    }


def in_different_games(where: list[str]) -> bool:
    """Whether each of these modules is in the folder of another game."""
    folders = {module.removeprefix(GAMES).partition(".")[0] for module in where}
    return all(module.startswith(GAMES) for module in where) and len(folders) == len(where)


@pytest.mark.parametrize("package", PACKAGES)
def test_no_two_classes_of_a_package_have_the_same_name(package: str) -> None:
    assert not twice(dict(modules(package)))


def test_what_games_may_share_they_share() -> None:
    trees = dict(modules("twentytwo_server"))
    where = {
        name: [m for m, tree in trees.items() if name in classes(tree)] for name in EACH_ITS_OWN
    }
    assert not [name for name, found in where.items() if len(found) < 2]


def test_a_name_that_is_taken_is_found() -> None:
    one = ast.parse("class Table: ...\nclass _Own: ...\nclass Seat: ...\nclass Easy: ...")
    other = ast.parse("class _Own: ...\nclass Table: ...\ndef Seat(): ...\nclass Easy: ...")
    assert twice({GAMES + "a.bots": one, GAMES + "b.bots": other}) == {
        "Table": [GAMES + "a.bots", GAMES + "b.bots"]
    }
    assert "Easy" in twice({GAMES + "a.bots": one, GAMES + "a.plays": other})
    assert "Easy" in twice({GAMES + "a.bots": one, "twentytwo_server.node": other})


# ------------------------------------------------------------------------------- private words


def identifiers(module: str, tree: ast.Module) -> Iterator[str]:
    """The names that a module defines: its own, its classes', functions', parameters', values'."""
    yield module.rpartition(".")[2]
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                yield name
            case ast.AsyncFunctionDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name


def private(module: str, tree: ast.Module) -> set[str]:
    """The defined names that are private words."""
    return {name for name in identifiers(module, tree) if name.lower().strip("_") in PRIVATE}


@pytest.mark.parametrize("package", ["twentytwo_protocol", "twentytwo_server"])
def test_no_private_word_comes_back(package: str) -> None:
    found = {module: private(module, tree) for module, tree in modules(package)}
    assert not {module: names for module, names in found.items() if names}


@together(
    "source",
    [
        "class Desk: ...",
        "async def becoming(): ...",
        "def f(taste): ...",
        "for course in (): ...",
        "class A:\n    def __init__(self): self._toll = 1",
    ],
)
def test_a_private_word_would_be_noticed(source: str) -> None:
    assert private("twentytwo_server.host.limits", ast.parse(source))


def test_a_module_by_a_private_word_would_be_noticed() -> None:
    assert private("twentytwo_server.host.shows", ast.parse(""))


# ------------------------------------------------------------------------------ across packages


SEVERAL_MEANINGS = {"Host", "Refused", "Replay", "Table"}
"""Names of classes in several packages. The list only gets shorter."""


def is_message(node: ast.ClassDef) -> bool:
    """True if a class is a message of the protocol, whose name is its word on the wire."""
    calls = (each.func for each in node.decorator_list if isinstance(each, ast.Call))
    return any(isinstance(f, ast.Name) and f.id in ("command", "event", "row") for f in calls)


def in_several(packages: Mapping[str, Mapping[str, ast.Module]]) -> set[str]:
    """The names of public classes that several packages declare; without messages."""
    declared: dict[str, set[str]] = defaultdict(set)
    for package, trees in packages.items():
        for module, tree in trees.items():
            messages = {n.name for n in tree.body if isinstance(n, ast.ClassDef) and is_message(n)}
            for name in {*classes(tree)} - messages:
                if not (name in EACH_ITS_OWN and module.startswith(GAMES)):
                    declared[name].add(package)
    return {name for name, where in declared.items() if len(where) > 1}


def test_a_class_name_has_one_meaning_in_protocol_server_and_client() -> None:
    ours = [package for package in PACKAGES if package != "twentytwo_conform"]
    assert in_several({package: dict(modules(package)) for package in ours}) == SEVERAL_MEANINGS


def test_a_class_name_of_two_packages_is_found() -> None:
    one = ast.parse("class Kind: ...\n@command('talk')\nclass Say: ...")
    other = ast.parse("class Kind: ...\nclass Say: ...\nclass _Own: ...")
    assert in_several({"a": {"a.b": one}, "c": {"c.d": other}}) == {"Kind"}


# ------------------------------------------------------------------------------------ constants


SEVERAL_CONSTANTS = {
    *("BOTS", "DECK", "LAB", "LESSON", "PRESETS", "SEARCH"),  # the same part of each game
    "HANDLERS",  # those of each chapter, and all of them
}
"""Constants that several modules declare with different values, and that are imported by name."""


def constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The constants that a module declares, with the text of their values."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=targets, value=value):
                pass
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                targets = [target]
            case _:
                continue
        for part in (each for target in targets for each in ast.walk(target)):
            match part:
                case ast.Name(id=name, ctx=ast.Store()) if name.isupper() and len(name) > 1:
                    yield name, ast.unparse(value)


def imported(tree: ast.Module) -> set[str]:
    """The names that a module imports, as the other modules call them."""
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    return {alias.name for node in nodes for alias in node.names}


def ambiguous(trees: Mapping[str, ast.Module]) -> set[str]:
    """The imported constants that are declared with different values.

    A constant that only its own module uses, or that others use with the name of its module
    (`talk.LONGEST`), has the module as its context.
    """
    values: dict[str, set[str]] = defaultdict(set)
    for tree in trees.values():
        for name, value in constants(tree):
            values[name].add(value)
    elsewhere = set[str]().union(*map(imported, trees.values()))
    return {name for name, found in values.items() if len(found) > 1} & elsewhere


def test_an_imported_constant_has_one_meaning_in_protocol_server_and_client() -> None:
    ours = [package for package in PACKAGES if package != "twentytwo_conform"]
    trees = {module: tree for package in ours for module, tree in modules(package)}
    assert ambiguous(trees) == SEVERAL_CONSTANTS


def test_a_constant_with_two_meanings_is_found() -> None:
    one = ast.parse("MOST = 3\nLEAST: int = 1\nDAY = 9\n_OWN = 1")
    other = ast.parse("MOST = 4\nLEAST, FEW = 2, 5\nDAY = 9\n_OWN = 2")
    third = ast.parse("from a import MOST, LEAST, DAY as D, _OWN")
    assert ambiguous({"a": one, "b": other, "c": third}) == {"MOST", "LEAST", "_OWN"}
    assert not ambiguous({"a": one, "b": other, "c": ast.parse("from . import a\na.MOST")})
