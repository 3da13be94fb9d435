"""Copies of the package, made of links, with one file replaced; the work tree stays as it is."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_PACKAGE = "torch_refine"


def rooms(root: Path = ROOT) -> dict[str, Path]:
    """The folders that the package is put together from, by their dotted names."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    folders: dict[str, str] = project["tool"]["setuptools"]["package-dir"]
    return {name: root / folder for name, folder in folders.items()}


@cache
def modules(root: Path = ROOT) -> dict[str, Path]:
    """The files of all modules, by their dotted names."""
    found = {}
    for prefix, folder in rooms(root).items():
        for file in sorted(folder.rglob("*.py")):
            parts = file.relative_to(folder).with_suffix("").parts
            parts = parts[:-1] if parts[-1] == "__init__" else parts
            found[".".join((prefix, *parts))] = file
    return found


def make_overlay(folder: Path, changed: Path | None, text: str, root: Path = ROOT) -> None:
    """Put the package into a folder, as links; `changed` is a file of the text instead."""
    package = folder / _PACKAGE
    package.mkdir(parents=True)
    for name, source in rooms(root).items():
        if name == _PACKAGE:
            _link(source, package, changed, text)
    for name, source in rooms(root).items():
        if name != _PACKAGE:
            target = package.joinpath(*name.split(".")[1:])
            if changed is not None and changed.is_relative_to(source):
                target.mkdir()
                _link(source, target, changed, text)
            else:
                target.symlink_to(source)


def _link(source: Path, target: Path, changed: Path | None, text: str) -> None:
    """Links to what is in a folder, but for the file and the folders that it is in."""
    for entry in _entries(source):
        link = target / entry.name
        if entry == changed:
            link.write_text(text, encoding="utf-8")
        elif entry.name == "__pycache__" and changed is not None and changed.parent == source:
            # Python replaces the files in it, so what they are links to stays.
            link.mkdir()
            for compiled in _entries(entry):
                if not compiled.name.startswith(f"{changed.stem}."):
                    (link / compiled.name).symlink_to(compiled)
        elif changed is not None and changed.is_relative_to(entry):
            link.mkdir()
            _link(entry, link, changed, text)
        else:
            link.symlink_to(entry)


def _entries(folder: Path) -> Iterator[Path]:
    yield from sorted(folder.iterdir())
