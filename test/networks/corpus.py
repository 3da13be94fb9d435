"""The corpus: every network, imported in four ways, as MLIR text.

A network is imported as written and with its composite operators decomposed to core ATen, each
with static and with dynamic shapes. The types in the text are those that PyTorch's fake tensors
gave, and the values of large constants are left out. Texts are kept in a folder, so that they are
built once for each version of PyTorch, the wheel, the networks and the importer:

    cd test && python -m networks.corpus FOLDER    # builds all and prints how long each took
"""

from __future__ import annotations

import fcntl
import hashlib
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path

import torch_refine.importer

from .models import NETWORKS


@dataclass(frozen=True)
class Variant:
    """One way to import one network."""

    network: str
    decomposed: bool
    dynamic: bool

    @property
    def name(self) -> str:
        """A name such as `bert-written-static` or `bert-core-dynamic`, good for a test id."""
        operators = "core" if self.decomposed else "written"
        return f"{self.network}-{operators}-{'dynamic' if self.dynamic else 'static'}"


VARIANTS = tuple(
    Variant(network, decomposed, dynamic)
    for network in NETWORKS
    for dynamic in (False, True)
    for decomposed in (False, True)
)


@dataclass(frozen=True)
class Corpus:
    """The texts of the corpus, built when they are first asked for and kept in `folder`."""

    folder: Path

    def text(self, variant: Variant) -> str:
        """The imported module of one variant as text; its large constants have no values."""
        return self.file(variant).read_text()

    def file(self, variant: Variant) -> Path:
        """The file with the text of one variant; it is built if it is not there."""
        path = self._path(variant)
        if not path.exists():
            # Both texts of one export are written, so other processes wait and then find them.
            with self._locked(f"{variant.network}-{variant.dynamic}"):
                if not path.exists():
                    self._build(variant.network, variant.dynamic)
        return path

    def _path(self, variant: Variant) -> Path:
        return self.folder / _key() / f"{variant.name}.mlir"

    def _build(self, network: str, dynamic: bool) -> None:
        import torch
        from torch_refine.importer.export import export_program

        torch.manual_seed(0)
        recipe = NETWORKS[network]
        model, arguments, keywords = recipe.build()
        shapes = recipe.dynamic() if dynamic else None
        program = export_program(model, arguments, keywords, shapes)
        for decomposed in (False, True):
            module = torch_refine.importer.import_model(program, decompose=decomposed)
            path = self._path(Variant(network, decomposed, dynamic))
            unfinished = path.with_suffix(".unfinished")
            unfinished.write_text(torch_refine.importer.module_text(module))
            unfinished.rename(path)

    @contextmanager
    def _locked(self, name: str) -> Iterator[None]:
        path = self.folder / _key() / f"{name}.lock"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def _key() -> str:
    """Changes with everything that the texts depend on."""
    versions = [version(package) for package in ("torch", "torch-mlir", "transformers")]
    folders = (Path(__file__).parent, Path(torch_refine.importer.__file__).parent)
    sources = [path.read_text() for folder in folders for path in sorted(folder.glob("*.py"))]
    parts = [*versions, sys.version, *sources]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def build_all(folder: Path, jobs: int = 2) -> dict[Variant, float]:
    """Build what is missing in `jobs` processes; the seconds that each export took.

    Both ways to import an export are built together, and counted for the variant as written.
    """
    # Dynamic ones take longest, so they go first.
    exports = [variant for variant in reversed(VARIANTS) if not variant.decomposed]
    exports.sort(key=lambda variant: not variant.dynamic)
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        seconds = pool.map(_build_in_process, exports, [folder] * len(exports))
        return dict(zip(exports, seconds, strict=True))


def _build_in_process(variant: Variant, folder: Path) -> float:
    import torch

    torch.set_num_threads(1)
    start = time.perf_counter()
    Corpus(folder).file(variant)
    return time.perf_counter() - start


def main() -> None:
    """Build the corpus in the folder named on the command line."""
    folder, start = Path(sys.argv[1]), time.perf_counter()
    seconds = build_all(folder)
    took = time.perf_counter() - start
    print(f"{'network':<22}{'static s':>10}{'dynamic s':>10}   operations: written, core (static)")
    for network in NETWORKS:
        static, dynamic = (seconds[Variant(network, False, dynamic)] for dynamic in (False, True))
        counts = [
            _operations(Corpus(folder).text(Variant(network, decomposed, False)))
            for decomposed in (False, True)
        ]
        print(f"{network:<22}{static:>10.1f}{dynamic:>10.1f}{counts[0]:>12}{counts[1]:>7}")
    print(f"all of it in 2 processes: {took:.0f} s")


def _operations(text: str) -> int:
    """How many operations of the torch dialect a text has; each stands on a line of its own."""
    return len(re.findall(r"^ +(?:%\S+ = )?torch\.", text, re.MULTILINE))


if __name__ == "__main__":
    main()
