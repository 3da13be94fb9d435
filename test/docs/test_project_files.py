"""The license, the changelog and the package's metadata agree with each other."""

import re
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def _words(text):
    return " ".join(text.split())


def test_the_license_is_that_of_llvm():
    """torch-mlir's wheel carries LLVM's license too; ours is its text, word for word."""
    (path,) = [each for each in distribution("torch-mlir").files if each.name == "LICENSE"]
    theirs, ours = _words(path.read_text()), _words((ROOT / "LICENSE").read_text())
    begin, end = "Apache License Version 2.0", "only with respect to the Combined Software."
    assert ours.startswith(begin) and ours.endswith(end)
    assert ours in theirs
    assert PROJECT["license"] == "Apache-2.0 WITH LLVM-exception"
    assert PROJECT["license-files"] == ["LICENSE"]
    # With an expression, classifiers of licenses are an error for package indexes.
    assert not [each for each in PROJECT["classifiers"] if each.startswith("License ::")]


def test_the_changelog_has_what_is_to_come_and_this_version():
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert headings[1].split()[0] == PROJECT["version"]
    kinds = re.findall(r"^### (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert set(kinds) <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_metadata_says_who_and_where():
    assert PROJECT["authors"] == [{"name": "the torch-refine authors"}]
    assert {"Repository", "Issues", "Changelog"} <= set(PROJECT["urls"])
    repository = PROJECT["urls"]["Repository"]
    assert all(url.startswith(repository) for url in PROJECT["urls"].values())
    # What stands behind the branch's name is a file of this repository.
    for url in PROJECT["urls"].values():
        if "/main/" in url:
            assert (ROOT / url.partition("/main/")[2]).exists(), url


def test_classifiers_of_python_fit_what_is_required():
    named = [
        tuple(map(int, each.rpartition(" ")[2].split(".")))
        for each in PROJECT["classifiers"]
        if re.fullmatch(r"Programming Language :: Python :: 3\.\d+", each)
    ]
    least = tuple(map(int, PROJECT["requires-python"].removeprefix(">=").split(".")))
    assert min(named) == least
    assert named == [(3, minor) for minor in range(least[1], least[1] + len(named))]


@pytest.mark.parametrize("document", ["CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "LICENSE"])
def test_the_readme_points_to_it(document):
    assert f"]({document})" in (ROOT / "README.md").read_text()


def test_the_readme_says_how_to_call_what_make_installs():
    readme = (ROOT / "README.md").read_text()
    bin_folder = re.search(r"^VENV := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)[1]
    for script in PROJECT["scripts"]:
        assert f"`{bin_folder}/bin/{script}`" in readme


def test_what_is_promised_is_in_one_place():
    assert "](docs/safety.md)" in (ROOT / "SECURITY.md").read_text()
