"""Messages about missing packages say what to install."""

import ast
from importlib.metadata import requires
from pathlib import Path

import pytest
import torch_refine
from packaging.requirements import Requirement
from torch_refine.dialect import requirements

ROOT = Path(__file__).parents[2]
# As they were installed.
EXTRAS = {
    requirement.name: requirement
    for requirement in map(Requirement, requires("torch-refine"))
    if requirement.marker
}
FOLDERS = (
    "abstract_interp_lib",
    "benchmarks",
    "build_tools",
    "dialect",
    "importer",
    "passes",
    "pipelines",
    "python",
    "runtime",
)
FILES = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]


def _calls(path):
    """The arguments of each call that names packages in a file."""
    for node in ast.walk(ast.parse(path.read_text())):
        name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
        if name in ("how_to_install", "require"):
            yield [each.value for each in node.args if isinstance(each, ast.Constant)]


def test_packages_that_are_asked_for_are_in_an_extra():
    named = {package for path in FILES for words in _calls(path) for package in words}
    assert {"llvmlite", "torch", "intel-openmp", "cuda-bindings", "matplotlib"} <= named
    assert named <= EXTRAS.keys()


@pytest.mark.parametrize("package", ["llvmlite", "torch", "cuda-bindings", "capstone"])
def test_the_command_asks_for_the_versions_of_the_extra(package):
    text = requirements.how_to_install(package)
    assert text.startswith(f"{package} is not installed: pip install ")
    asked = Requirement(text.partition("pip install ")[2].strip("'"))
    assert (asked.name, asked.specifier) == (package, EXTRAS[package].specifier)


def test_more_than_one_package_is_one_command():
    text = requirements.how_to_install("capstone", "pyelftools")
    assert text.startswith("capstone and pyelftools are not installed: pip install ")
    assert text.count("pip install") == 1


def test_a_package_that_no_extra_has_is_named_as_it_is():
    assert requirements.how_to_install("other") == "other is not installed: pip install other"


def test_messages_name_no_extras_of_package_indexes():
    """Only the source that torch-refine was installed from has its extras."""
    found = [
        f"{path.relative_to(ROOT)}: {node.value}"
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and "pip install" in node.value
        and "torch-refine" in node.value
    ]
    assert found == []


@pytest.mark.parametrize(
    ("package", "call"),
    [
        ("torch", lambda: torch_refine.import_model(None)),
        ("torch", lambda: torch_refine.compile(None)),
        ("llvmlite", lambda: torch_refine.load_compiled("program")),
    ],
    ids=["import_model", "compile", "load_compiled"],
)
def test_what_is_missing_is_asked_for_by_name(package, call, monkeypatch):
    find = requirements.find_spec
    monkeypatch.setattr(
        requirements, "find_spec", lambda name: None if name == package else find(name)
    )
    asked = rf"^{package} is not installed: pip install '?{package}\W"
    with pytest.raises(ImportError, match=asked) as caught:
        call()
    assert caught.value.name == package
