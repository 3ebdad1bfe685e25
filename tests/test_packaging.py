"""What is installed: the compiled modules and their stubs, typing markers, metadata."""

import ast
import importlib
import re
import sys
import tomllib
from collections.abc import Iterable
from importlib import metadata
from importlib.resources import files
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CORE = files("eights_core")
STUBS = {path.name[:-4]: path.read_text("utf-8") for path in CORE.iterdir() if path.name.endswith(".pyi")}

installed = pytest.mark.skipif(not list(metadata.distributions(name="eights")), reason="run from the source folders")


def public(names: Iterable[str]) -> set[str]:
    return {name for name in names if not name.startswith("_")}


def defined(body: list[ast.stmt]) -> set[str]:
    """Public names that the body of a stub or of a class in it defines; its imports define none."""
    names = set()
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            names.add(node.target.id)
    return public(names)


@pytest.mark.parametrize("name", sorted(STUBS))
def test_a_stub_names_exactly_what_is_public_in_its_compiled_module(name: str) -> None:
    modules = {other: importlib.import_module(f"eights_core.{other}") for other in STUBS}
    names = {other: defined(ast.parse(stub).body) for other, stub in STUBS.items()}
    imported = {
        (known, id(getattr(modules[other], known))) for other in STUBS if other != name for known in names[other]
    }
    there = {
        known for known in public(vars(modules[name])) if (known, id(getattr(modules[name], known))) not in imported
    }
    assert names[name] == there
    for node in ast.parse(STUBS[name]).body:
        if isinstance(node, ast.ClassDef):
            assert defined(node.body) == public(vars(getattr(modules[name], node.name))), node.name


def test_every_compiled_module_has_a_stub() -> None:
    compiled = {path.name.partition(".")[0] for path in CORE.iterdir() if path.name.endswith((".so", ".pyd"))}
    assert compiled == set(STUBS) == {path.stem for path in ROOT.glob("ext/eights_core/*.pyx")}


@pytest.mark.parametrize("package", ["eights_core", "eights", "eights_cli"])
def test_packages_are_marked_as_typed(package: str) -> None:
    assert files(package).joinpath("py.typed").is_file()


def test_what_is_imported_is_a_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {re.match(r"\w+", dependency)[0] for dependency in project["dependencies"]}
    imported = set()
    for path in (*ROOT.glob("solver/eights/*.py"), *ROOT.glob("cli/eights_cli/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add((node.module or "").partition(".")[0])
    others = imported - sys.stdlib_module_names - {"eights_core", "eights", "eights_cli"}
    pictures = {re.match(r"\w+", dependency)[0] for dependency in project["optional-dependencies"]["arena"]}
    assert others <= declared | pictures


def test_the_core_says_which_build_it_is() -> None:
    from eights_core.rng import CHECKED

    assert isinstance(CHECKED, bool)


@installed
def test_the_metadata_are_those_of_this_source() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert metadata.version("eights") == project["version"]
    assert metadata.metadata("eights")["License-Expression"] == "MIT"
    (command,) = metadata.entry_points(group="console_scripts", name="eights")
    assert command.value == "eights_cli.main:main"


@installed
def test_the_changelog_has_the_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## [{metadata.version('eights')}]" in text
