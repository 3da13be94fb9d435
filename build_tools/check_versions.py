"""Run some tests with the oldest and the newest PyTorch that the package's metadata allows.

    python build_tools/check_versions.py [--torch 2.13.0] [--pip-flags "--extra-index-url URL"]

Each PyTorch has a separate environment in `build/versions`, which is reused by the next run. The
oldest has the oldest allowed version of all other packages too, the newest the newest, whatever
`constraints.txt` pins. It requires only Python: `make test-versions PYTHON=python3.13` uses another
one, with the newest packages only, as the oldest have no wheels for it. The exit code is 1 if
anything fails.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
import time
import tomllib
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "versions"
EXTRAS = ("torch", "onnx", "demo", "compile", "threads")
# Imports of the tests below; their versions are those of `constraints.txt`.
TOOLS = (
    "pytest",
    "expecttest",
    "hypothesis",
    "nvidia-cuda-nvcc-cu12",
    "onnxscript",
    "transformers",
)
# Refine, infer, import, compile, `torch.compile`, and code for GPUs: the public API, and the parts
# that depend most on internals of PyTorch and llvmlite.
TESTS = (
    "test/docs/test_readme.py",
    "test/api",
    "test/networks/test_import_model.py",
    "test/networks/test_onnx.py",
    "test/runtime/test_compile.py",
    "test/runtime/test_dynamo.py",
    "test/passes/lowering/test_dtypes.py",
    "test/runtime/test_guards.py",
    "test/runtime/test_object_files.py",
    "test/pipelines/test_gpu.py",
)
_REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(?P<versions>[^;\[]*)")
_OLDEST_PYTHON = (3, 11)
_LEAST = re.compile(r"(?:>=|==)\s*([\w.]+)")


@dataclass(frozen=True)
class Environment:
    """A folder, and the requirements that are installed in it."""

    name: str
    requirements: tuple[str, ...]

    @property
    def folder(self) -> Path:
        """The folder, whose name includes the version of Python."""
        major, minor = sys.version_info[:2]
        return FOLDER / f"python{major}.{minor}-{self.name}"

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / "bin" / "python"


def requirements() -> dict[str, str]:
    """The packages that the extras require, each with its versions, such as `>=2.10,<2.16`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = {}
    for line in (line for extra in EXTRAS for line in project["optional-dependencies"][extra]):
        match = _REQUIREMENT.fullmatch(line)
        if match is not None:
            found[match["name"]] = match["versions"].strip()
    return found


def oldest(versions: str) -> str:
    """The oldest version of a range, as a requirement of exactly that version."""
    least = _LEAST.search(versions)
    assert least is not None, f"{versions!r} has no oldest version"
    return f"=={least[1]}"


def environments(
    chosen: list[str], python: tuple[int, int] = sys.version_info[:2]
) -> list[Environment]:
    """The oldest and the newest versions of all, or the newest with each chosen PyTorch.

    The oldest is for the oldest Python only.
    """
    ranges = requirements()
    newest = [f"{name}{versions}" for name, versions in ranges.items() if name != "torch"]
    if chosen:
        return [Environment(f"torch-{each}", (f"torch=={each}", *newest)) for each in chosen]
    found = [Environment("newest", (f"torch{ranges['torch']}", *newest))]
    if python == _OLDEST_PYTHON:
        exact = tuple(f"{name}{oldest(versions)}" for name, versions in ranges.items())
        found.insert(0, Environment("oldest", exact))
    return found


def tools() -> list[str]:
    """The packages that tests need, pinned."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").split()
    pins = dict(line.split("==") for line in lines)
    return [f"{name}=={pins[name]}" for name in TOOLS]


def install(environment: Environment, flags: list[str]) -> bool:
    """Create or update an environment; returns whether that succeeded."""
    if not environment.python.exists():
        venv.create(environment.folder, with_pip=True)
    asked = [*environment.requirements, *tools(), "--editable", str(ROOT)]
    # Newer versions may have been released since the last run.
    upgrade = ["--upgrade", "--upgrade-strategy", "eager"]
    words = [str(environment.python), "-m", "pip", "install", "-q", *flags, *upgrade, *asked]
    return subprocess.run(words, check=False).returncode == 0


def versions(environment: Environment) -> str:
    """The installed versions of the packages."""
    names = [*requirements(), "torch-mlir"]
    program = f"from importlib.metadata import version as v; print(*map(v, {names}))"
    done = subprocess.run(
        [str(environment.python), "-c", program], capture_output=True, text=True, check=True
    )
    pairs = zip(names, done.stdout.split(), strict=True)
    return ", ".join(f"{name} {version}" for name, version in pairs)


def run_tests(environment: Environment, tests: list[str]) -> bool:
    """Run the tests in an environment; whether all passed."""
    # Without a cache, so that code of another version is not tested.
    settings = {**os.environ, "TORCH_REFINE_CACHE": "0"}
    words = [str(environment.python), "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", *tests]
    return subprocess.run(words, cwd=ROOT, env=settings, check=False).returncode == 0


def main(arguments: list[str] | None = None) -> int:
    """Check all environments, one after the other; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--torch", action="append", default=[], help="a version, instead of both")
    parser.add_argument("--pip-flags", default="", help="options for pip, such as an index")
    parser.add_argument("tests", nargs="*", default=list(TESTS), help="files or tests of pytest")
    options = parser.parse_args(arguments)
    failed = []
    start = time.monotonic()
    chosen = environments(options.torch)
    for number, environment in enumerate(chosen, 1):
        said = f"[{number} of {len(chosen)}, {time.monotonic() - start:.0f} s]"
        print(f"{said} {environment.name}: installing {environment.requirements[0]}", flush=True)
        if not install(environment, shlex.split(options.pip_flags)):
            failed.append(environment.name)
            continue
        said = f"[{number} of {len(chosen)}, {time.monotonic() - start:.0f} s]"
        print(f"{said} {environment.name}: testing {versions(environment)}", flush=True)
        if not run_tests(environment, options.tests):
            failed.append(environment.name)
    print(f"failed: {', '.join(failed)}" if failed else "all passed", flush=True)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
