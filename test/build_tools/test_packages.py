"""What is installed is all there is."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = (
    "abstract_interp_lib",
    "build_tools",
    "dialect",
    "importer",
    "passes",
    "pipelines",
    "runtime",
)


def _setuptools():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]


def _directory(name, directories):
    """Where a package is: what `package-dir` says, or below its parent."""
    if name in directories:
        return directories[name]
    parent, _, folder = name.rpartition(".")
    return f"{_directory(parent, directories)}/{folder}"


def test_every_folder_is_a_package():
    setuptools = _setuptools()
    folders = {
        str(path.parent.relative_to(ROOT)) for room in ROOMS for path in (ROOT / room).rglob("*.py")
    }
    packages = {f"torch_refine.{folder.replace('/', '.')}" for folder in folders}
    assert packages <= set(setuptools["packages"])
    directories = setuptools["package-dir"]
    assert {_directory(name, directories) for name in packages} == folders
    assert all((ROOT / _directory(name, directories)).is_dir() for name in setuptools["packages"])


def test_every_file_that_is_read_is_installed():
    setuptools = _setuptools()
    directories = setuptools["package-dir"]
    installed = {
        path
        for package, patterns in setuptools["package-data"].items()
        for pattern in patterns
        for path in (ROOT / _directory(package, directories)).glob(pattern)
    }
    needed = {
        path
        for room in ROOMS
        for suffix in ("mlir", "ll")
        for path in (ROOT / room).rglob(f"*.{suffix}")
    }
    assert needed <= installed
