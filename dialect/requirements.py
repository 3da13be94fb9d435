"""Installation hints for optional packages, with the versions that were tested."""

from __future__ import annotations

import re
import shlex
from functools import cache
from importlib.util import find_spec

# Import names that differ from the package names.
_MODULES = {"pyelftools": "elftools"}


def how_to_install(*packages: str) -> str:
    """A message that lists missing packages, with the command that installs them.

    The versions are those of torch-refine's extras, so the command works wherever torch-refine
    itself was installed from.
    """
    are = "are" if len(packages) > 1 else "is"
    words = [_requirements().get(package, package) for package in packages]
    return f"{' and '.join(packages)} {are} not installed: {shlex.join(['pip', 'install', *words])}"


def require(*packages: str) -> None:
    """Raise ImportError, with the install command, if a package is missing."""
    missing = [each for each in packages if find_spec(_MODULES.get(each, each)) is None]
    if missing:
        raise ImportError(how_to_install(*missing), name=missing[0])


@cache
def _requirements() -> dict[str, str]:
    """The packages of all extras with their version constraints, from the installed metadata."""
    # Imported lazily: refinement does not need it otherwise.
    from importlib.metadata import PackageNotFoundError, requires

    try:
        listed = requires("torch-refine") or []
    except PackageNotFoundError:
        return {}
    wanted = (line.partition(";")[0].strip() for line in listed)
    return {re.split(r"[\[<>=!~ ]", each)[0]: each for each in wanted if "[" not in each}
