"""Samples as programs: exported by PyTorch, imported into the torch dialect, many at a time.

Exporting takes about as long for a hundred calls as for one, so a program contains many samples,
whose calls are independent. Exported programs are cached in `build/conformance`: exporting takes
most of the time, and its result changes only with PyTorch and the importer.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
import torch_refine.importer as importer_room
from torch.utils import _pytree as pytree
from torch_refine.build_tools.conformance import samples
from torch_refine.build_tools.conformance.samples import Sample, samples_of
from torch_refine.importer import ImportModelError, import_model

REPOSITORY = Path(__file__).parents[2]
CACHE = REPOSITORY / "build" / "conformance"
# The maximum samples of a program, and the seconds after which the next one has fewer.
BATCH = 64
_SLOW = 1.0
# Larger constants are elided in a program's text; no shape depends on them.
_LARGE = 4096


@dataclass(frozen=True)
class Part:
    """A sample's part of a program.

    It uses the next `inputs` of the function's arguments, and as many of the function's results
    as there are `outputs`: sizes and dtype of each tensor that the sample returns on the CPU.
    """

    name: str
    dtype: str
    index: int
    inputs: int
    outputs: list[tuple[list[int], str]]

    @property
    def where(self) -> str:
        """A readable name of the sample."""
        return f"{self.name} {self.dtype} {self.index}"


@dataclass(frozen=True)
class Program:
    """The program of some samples as text."""

    parts: list[Part]
    text: str


@dataclass(frozen=True)
class Programs:
    """The programs of an entry, and the reasons of samples without one."""

    programs: list[Program]
    reasons: list[str]


class _Calls(torch.nn.Module):
    """A module that calls samples, with their tensors as its inputs."""

    def __init__(self, called: list[Sample]) -> None:
        super().__init__()
        self.called = called

    def forward(self, *tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """The result tensors of the calls, in order."""
        results: list[torch.Tensor] = []
        start = 0
        for sample in self.called:
            end = start + len(sample.tensors)
            given = pytree.tree_leaves(sample.call(list(tensors[start:end])))
            results += [leaf for leaf in given if isinstance(leaf, torch.Tensor)]
            start = end
        return tuple(results)


def programs_of(name: str, wanted: Callable[[], bool] | None = None) -> Programs:
    """The programs of an entry's samples, cached if possible.

    `wanted` is called for each sample, to select some of them.
    """
    if wanted is not None:
        return _make([sample for sample in samples_of(name) if wanted()])
    path = CACHE / _key() / f"{name}.json"
    if path.exists():
        loaded = json.loads(path.read_text(encoding="utf-8"))
        programs = [
            Program([Part(**part) for part in each["parts"]], each["text"])
            for each in loaded["programs"]
        ]
        return Programs(programs, loaded["reasons"])
    made = _make(list(samples_of(name)))
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps(asdict(made)), encoding="utf-8")
    new.replace(path)
    return made


def _key() -> str:
    """The cache key of programs: PyTorch, the importer, and the source of samples."""
    digest = hashlib.sha256(torch.__version__.encode())
    sources = sorted(Path(importer_room.__file__).parent.glob("*.py"))
    for source in [*sources, Path(samples.__file__), Path(__file__)]:
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _make(chosen: list[Sample]) -> Programs:
    """Run the samples on the CPU, and export those that return tensors."""
    made = Programs([], [])
    ready: list[tuple[Sample, Part]] = []
    for sample in chosen:
        try:
            outputs = [_type_of(tensor) for tensor in sample.outputs()]
        except Exception as error:
            made.reasons.append(f"PyTorch does not run it: {_first_line(error)}")
            continue
        if outputs:
            inputs = len(sample.tensors)
            ready.append((sample, Part(sample.name, sample.dtype, sample.index, inputs, outputs)))
        else:
            made.reasons.append("it gives no tensor")
    size = 8
    while ready:
        batch, ready = ready[:size], ready[size:]
        begun = time.monotonic()
        for found in _export(batch):
            if isinstance(found, Program):
                made.programs.append(found)
            else:
                made.reasons.append(found)
        # Data-dependent sizes make exporting a large program slow.
        slow = time.monotonic() - begun > _SLOW
        size = max(size // 2, 1) if slow else min(size * 2, BATCH)
    return made


def _export(ready: list[tuple[Sample, Part]]) -> Iterator[Program | str]:
    """One program of all samples; if that fails, of each half, recursively."""
    try:
        yield Program([part for _, part in ready], export([sample for sample, _ in ready]))
        return
    except ImportModelError as error:
        reason = " ".join(str(error).split())[:300]
    except Exception as error:
        reason = f"{type(error).__name__}: {_first_line(error)}"
    if len(ready) == 1:
        yield reason
        return
    middle = len(ready) // 2
    for half in (ready[:middle], ready[middle:]):
        yield from _export(half)


def export(called: list[Sample]) -> str:
    """The text of a module that calls some samples.

    Raises ImportModelError, or an exception of PyTorch, if it cannot be exported.
    """
    tensors = tuple(tensor.clone() for sample in called for tensor in sample.tensors)
    with torch.no_grad():
        module = import_model(_Calls(called), tensors)
    text: str = module.operation.get_asm(large_elements_limit=_LARGE, large_resource_limit=_LARGE)
    return text


def _type_of(tensor: torch.Tensor) -> tuple[list[int], str]:
    return list(tensor.shape), str(tensor.dtype).removeprefix("torch.")


def _first_line(error: Any) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
