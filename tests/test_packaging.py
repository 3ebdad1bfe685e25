"""What is installed: the compiled modules and their stubs, typing markers, metadata."""

import ast
import importlib
import tomllib
from importlib import metadata
from importlib.resources import files
from pathlib import Path

import pytest

MODULES = sorted(path.name.removesuffix(".pyi") for path in files("eights_core").iterdir() if path.name.endswith(".pyi"))


def public(names):
    return {name for name in names if not name.startswith("_")}


def defined(tree):
    """Public names that a module or class body of a stub defines; imports define none."""
    names = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return public(names)


def own(module):
    """Public names of a compiled module: what it makes itself, not what it imports."""
    return {
        name
        for name in public(vars(module))
        if getattr(vars(module)[name], "__module__", module.__name__) == module.__name__
        and not isinstance(vars(module)[name], type(ast))
    }


@pytest.mark.parametrize("name", MODULES)
def test_a_stub_names_exactly_what_is_public_in_its_compiled_module(name):
    module = importlib.import_module(f"eights_core.{name}")
    stub = ast.parse(files("eights_core").joinpath(f"{name}.pyi").read_text(encoding="utf-8"))
    assert defined(stub) == own(module)
    for node in stub.body:
        if isinstance(node, ast.ClassDef):
            cls = getattr(module, node.name)
            assert defined(node) == public(vars(cls)), node.name


def test_every_compiled_module_has_a_stub_and_is_named_by_the_build():
    compiled = {
        path.name.partition(".")[0]
        for path in files("eights_core").iterdir()
        if path.name.endswith((".so", ".pyd"))
    }
    assert compiled == set(MODULES)
    root = Path(__file__).parent.parent
    assert {path.stem for path in root.glob("ext/eights_core/*.pyx")} == compiled


@pytest.mark.parametrize("package", ["eights_core", "eights", "eights_cli"])
def test_packages_are_marked_as_typed(package):
    assert files(package).joinpath("py.typed").is_file()


def test_the_core_says_which_build_it_is():
    from eights_core.rng import CHECKED

    assert isinstance(CHECKED, bool)


def test_the_metadata_are_those_of_this_source():
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert metadata.version("eights") == project["version"]
    assert metadata.metadata("eights")["License-Expression"] == "MIT"
    (command,) = metadata.entry_points(group="console_scripts", name="eights")
    assert command.value == "eights_cli.main:main"


def test_the_changelog_has_the_version():
    text = (Path(__file__).parent.parent / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## [{metadata.version('eights')}]" in text
