"""Ranges of versions: what extras allow, what is pinned, what `make test-versions` installs."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version
from torch_refine.build_tools import check_versions
from torch_refine.dialect.schemas import registry_version

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PINS = {
    canonicalize_name(name): Version(version)
    for name, version in (
        line.split("==") for line in (ROOT / "constraints.txt").read_text().split()
    )
}
# What users install; the other extras are for working on torch-refine.
EXTRAS = ("torch", "onnx", "demo", "compile", "threads", "cuda")
REQUIREMENTS = [
    requirement
    for extra in EXTRAS
    for requirement in map(Requirement, PROJECT["optional-dependencies"][extra])
    if requirement.name != "torch-refine"
]


@pytest.mark.parametrize("requirement", REQUIREMENTS, ids=lambda each: each.name)
def test_what_users_install_is_a_range(requirement):
    operators = {each.operator for each in requirement.specifier}
    assert operators == {">=", "<"}, "exact versions belong to constraints.txt"
    assert requirement.specifier.contains(PINS[requirement.name])


def test_every_requirement_is_pinned_in_one_place():
    """In all extras; constraints.txt holds exact versions, and no extra repeats one."""
    for lines in PROJECT["optional-dependencies"].values():
        for requirement in map(Requirement, lines):
            if requirement.name == "torch-refine":
                continue
            assert requirement.specifier.contains(PINS[canonicalize_name(requirement.name)])
            assert "==" not in str(requirement.specifier), requirement


def test_every_installation_of_the_makefile_takes_the_pins():
    lines = re.findall(r"^\t.*pip install.*$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert len(lines) >= 4
    assert all("-c constraints.txt" in line and "$(PIP_FLAGS)" in line for line in lines)


def test_the_registry_is_of_a_pytorch_that_is_allowed():
    assert SpecifierSet(check_versions.requirements()["torch"]).contains(registry_version())


def test_the_documents_name_the_range_of_pytorch():
    least, below = re.fullmatch(
        r">=(2\.\d+)\.0,<2\.(\d+)", check_versions.requirements()["torch"]
    ).groups()
    said = f"PyTorch {least} to 2.{int(below) - 1}"
    for document in ("README.md", "CHANGELOG.md"):
        assert said in " ".join((ROOT / document).read_text().split()), document


def test_both_ends_of_the_ranges_are_installed():
    oldest, newest = check_versions.environments([], (3, 11))
    ranges = check_versions.requirements()
    assert {"torch", "numpy", "llvmlite"} <= ranges.keys()
    for exact, wide in zip(
        map(Requirement, oldest.requirements), map(Requirement, newest.requirements), strict=False
    ):
        assert [each.operator for each in exact.specifier] == ["=="]
        (version,) = (each.version for each in exact.specifier)
        assert SpecifierSet(ranges[exact.name]).contains(version)
        assert wide.specifier == SpecifierSet(ranges[wide.name])
    assert {Requirement(each).name for each in oldest.requirements} == ranges.keys()
    assert {Requirement(each).name for each in newest.requirements} == ranges.keys()
    assert oldest.folder != newest.folder
    assert check_versions.environments([], (3, 13)) == [newest]
    assert PROJECT["requires-python"] == ">=3.11"


def test_a_pytorch_of_choice_gets_the_newest_of_the_others():
    (environment,) = check_versions.environments(["2.13.0"])
    assert environment.requirements[0] == "torch==2.13.0"
    assert f"numpy{check_versions.requirements()['numpy']}" in environment.requirements


def test_the_tests_and_tools_exist():
    assert all((ROOT / path).exists() for path in check_versions.TESTS)
    assert len(check_versions.tools()) == len(check_versions.TOOLS)


def test_what_fails_is_named(monkeypatch, capsys):
    """The exit code is that of all environments, and the next one is tried after a failure."""
    tried = []
    monkeypatch.setattr(check_versions, "install", lambda each, flags: tried.append(flags) or True)
    monkeypatch.setattr(check_versions, "versions", lambda each: "torch 0")
    both = check_versions.environments([], (3, 11))
    monkeypatch.setattr(check_versions, "environments", lambda chosen: both)
    monkeypatch.setattr(check_versions, "run_tests", lambda each, tests: each.name == "newest")
    assert check_versions.main(["--pip-flags", "--find-links 'a b'"]) == 1
    assert tried == [["--find-links", "a b"]] * 2
    assert capsys.readouterr().out.splitlines()[-1] == "failed: oldest"
    monkeypatch.setattr(check_versions, "run_tests", lambda each, tests: True)
    assert check_versions.main([]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "all passed"
