"""How to install the packages that only some uses need, in the versions that were tested."""

from __future__ import annotations

import re
import shlex
from functools import cache
from importlib.util import find_spec

# What `import` calls the packages whose names are others.
_MODULES = {"pyelftools": "elftools"}


def how_to_install(*packages: str) -> str:
    """What a message says of packages that are missing, and the command that installs them.

    The versions are those that an extra of torch-refine allows, so that the command works wherever
    torch-refine itself came from.
    """
    are = "are" if len(packages) > 1 else "is"
    words = [_requirements().get(package, package) for package in packages]
    return f"{' and '.join(packages)} {are} not installed: {shlex.join(['pip', 'install', *words])}"


def require(*packages: str) -> None:
    """Raise ImportError, with the command that helps, if a package is not installed."""
    missing = [each for each in packages if find_spec(_MODULES.get(each, each)) is None]
    if missing:
        raise ImportError(how_to_install(*missing), name=missing[0])


@cache
def _requirements() -> dict[str, str]:
    """The packages of all extras, each with its versions, as the installed metadata has them."""
    # Loaded late: nothing else that refining imports needs it.
    from importlib.metadata import PackageNotFoundError, requires

    try:
        listed = requires("torch-refine") or []
    except PackageNotFoundError:
        return {}
    wanted = (line.partition(";")[0].strip() for line in listed)
    return {re.split(r"[\[<>=!~ ]", each)[0]: each for each in wanted if "[" not in each}
