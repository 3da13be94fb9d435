"""A wheel of this source tree, and environments that it is installed into."""

import re
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
# What a checkout holds beside the sources.
_LEFT_OUT = shutil.ignore_patterns(
    ".*", "build", "dist", "*.egg-info", "__pycache__", "test", "docs", "benchmarks"
)


def build(folder):
    """Build a wheel in a folder, from a copy of the sources; its path."""
    sources = folder / "sources"
    shutil.copytree(ROOT, sources, ignore=_LEFT_OUT)
    _run(
        *(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-index"),
        *("--no-build-isolation", "--wheel-dir", folder, sources),
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


def contents(wheel):
    """The files of a wheel, without its metadata."""
    names = zipfile.ZipFile(wheel).namelist()
    return {name for name in names if not re.match(r"[^/]*\.dist-info/", name)}


class Environment:
    """A new environment with a wheel, and with what the wheel requires and nothing else.

    Downloading PyTorch again would take minutes, so the packages that the wheel requires are those
    that are installed here, as links. torch-refine itself is what the wheel holds.
    """

    def __init__(self, folder, wheel, *extras):
        self.folder = folder
        home = folder / "environment"
        _run(sys.executable, "-m", "venv", "--without-pip", home)
        self.bin = home / "bin"
        (self.packages,) = home.glob("lib/python*/site-packages")
        _run(
            *(sys.executable, "-m", "pip", "--python", self.bin / "python", "install", "-q"),
            *("--no-deps", "--no-index", "--no-compile", wheel),
        )
        (metadata,) = self.packages.glob("torch_refine-*.dist-info/METADATA")
        required = re.findall(r"^Requires-Dist: (.*)$", metadata.read_text(), re.MULTILINE)
        self.linked = set()
        self._link(required, extras)

    def _link(self, required, extras):
        """Link the packages of requirements, of no extra or of some, and what they require."""
        for line in required:
            requirement = Requirement(line)
            marker = requirement.marker
            if marker and not any(marker.evaluate({"extra": each}) for each in ("", *extras)):
                continue
            if requirement.name == "torch-refine":
                self._link(required, tuple(requirement.extras - set(extras)))
                continue
            found = distribution(requirement.name)
            assert requirement.specifier.contains(found.version, prereleases=True), line
            if found.name in self.linked:
                continue
            self.linked.add(found.name)
            for top in {file.parts[0] for file in found.files} - {".."}:
                target = self.packages / top
                if top != "__pycache__" and not target.exists():
                    target.symlink_to(found.locate_file(top))
            self._link(found.requires or (), tuple(requirement.extras))

    def run(self, command, *arguments):
        """What a command of the environment prints on both streams."""
        return _run(self.bin / command, *arguments, cwd=self.folder)


def _run(*words, cwd=None):
    done = subprocess.run(
        list(map(str, words)),
        cwd=cwd,
        # Nothing of the environment that the tests run in.
        env={"PATH": "/usr/bin:/bin", "TORCH_REFINE_CACHE": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, f"{' '.join(map(str, words))}:\n{done.stdout}"
    return done.stdout
