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


def test_every_folder_is_a_package():
    setuptools = _setuptools()
    folders = {
        str(path.parent.relative_to(ROOT)) for room in ROOMS for path in (ROOT / room).rglob("*.py")
    }
    packages = {f"torch_refine.{folder.replace('/', '.')}" for folder in folders}
    assert packages <= set(setuptools["packages"])
    assert {setuptools["package-dir"][name] for name in packages} == folders


def test_every_file_that_is_read_is_installed():
    setuptools = _setuptools()
    directories = setuptools["package-dir"]
    installed = {
        path
        for package, patterns in setuptools["package-data"].items()
        if package in directories
        for pattern in patterns
        for path in (ROOT / directories[package]).glob(pattern)
    }
    needed = {
        path
        for room in ROOMS
        for suffix in ("mlir", "ll")
        for path in (ROOT / room).rglob(f"*.{suffix}")
    }
    assert needed <= installed
