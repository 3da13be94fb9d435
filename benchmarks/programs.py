"""The programs that are measured: networks from PyTorch, imported, their types erased.

    python benchmarks/programs.py NAME FOLDER

builds one of them, in a separate process, because only building needs PyTorch. Programs are cached
in `build/benchmarks`; the cache key covers everything that they depend on.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import torch_refine.importer
import torch_refine.passes

if TYPE_CHECKING:
    import torch
    from torch.export import ExportedProgram

REPOSITORY = Path(__file__).parent.parent
CACHE = REPOSITORY / "build" / "benchmarks"
PACKAGES = ("torch-refine", "torch-mlir", "torch", "transformers")

# Bottleneck blocks per stage (He et al. 2015, table 1).
_RESNET_DEPTHS = {50: [3, 4, 6, 3], 101: [3, 4, 23, 3], 152: [3, 8, 36, 3]}


@dataclass(frozen=True)
class Program:
    """A program that is ready to be measured.

    Attributes:
        name: the kind of network and its size, such as `encoder-12`.
        operations: how many operations the file has, constants included.
        tensors: how many tensor values it has.
        complete: how many of them have a shape and a dtype in the erased file.
        file: the program as text, its types erased.
        exported: the same graph as PyTorch saves it, without the values of its weights.
        copies: how many copies of the network the file has, each a function.
    """

    name: str
    operations: int
    tensors: int
    complete: int
    file: Path
    exported: Path
    copies: int = 1


@dataclass(frozen=True)
class Kind:
    """A kind of network: makes a model of a size, and its inputs."""

    model: Callable[[int], torch.nn.Module]
    inputs: Callable[[], tuple[torch.Tensor, ...]]


def encoder(layers: int) -> torch.nn.Module:
    """BERT base with this number of layers."""
    from transformers import BertConfig, BertModel

    return BertModel(BertConfig(num_hidden_layers=layers, return_dict=False))


def sentences() -> tuple[torch.Tensor, ...]:
    """Two sequences of 128 tokens."""
    import torch

    return (torch.zeros(2, 128, dtype=torch.int64),)


def resnet(layers: int) -> torch.nn.Module:
    """ResNet-50, -101 or -152."""
    from transformers import ResNetConfig, ResNetForImageClassification

    config = ResNetConfig(depths=_RESNET_DEPTHS[layers], return_dict=False)
    return ResNetForImageClassification(config)


def photographs() -> tuple[torch.Tensor, ...]:
    """Two images of 224x224 with three channels."""
    import torch

    return (torch.zeros(2, 3, 224, 224),)


def convolutions(count: int) -> torch.nn.Module:
    """A chain of 3x3 convolutions of 8 channels."""
    import torch

    return torch.nn.Sequential(*(torch.nn.Conv2d(8, 8, 3, padding=1) for _ in range(count)))


def features() -> tuple[torch.Tensor, ...]:
    """One image of 32x32 with eight channels."""
    import torch

    return (torch.zeros(1, 8, 32, 32),)


KINDS: dict[str, Kind] = {
    "encoder": Kind(encoder, sentences),
    "resnet": Kind(resnet, photographs),
    "convolutions": Kind(convolutions, features),
}


def split_name(name: str) -> tuple[str, int, int]:
    """Parse a name, `encoder-12` or `encoder-12x3`: kind of network, size, copies.

    Raises ValueError for another name.
    """
    kind, _, size = name.rpartition("-")
    found = re.fullmatch(r"(\d+)(?:x([1-9]\d*))?", size)
    if kind not in KINDS or found is None:
        raise ValueError(f"no such program: {name!r}; it is one of {', '.join(KINDS)}, and a size")
    return kind, int(found[1]), int(found[2] or 1)


def load_program(name: str, cache: Path = CACHE) -> Program:
    """The program of this name; it is built in another process if the cache lacks it.

    Raises ValueError if there is no such program, CalledProcessError if it cannot be built.
    """
    kind, size, copies = split_name(name)
    folder = cache / _key()
    if copies > 1:
        return _copied(load_program(f"{kind}-{size}", cache), name, copies)
    description = folder / f"{name}.json"
    if not description.exists():
        command = [sys.executable, "-W", "ignore", __file__, name, str(folder)]
        subprocess.run(command, check=True, capture_output=True, text=True)
    return Program(
        **json.loads(description.read_text(encoding="utf-8")),
        file=folder / f"{name}.mlir",
        exported=folder / f"{name}.pt2",
    )


def _copied(program: Program, name: str, copies: int) -> Program:
    """A module with this many copies of a program's function, with unique names."""
    file = program.file.with_name(f"{name}.mlir")
    if not file.exists():
        begin, function = program.file.read_text(encoding="utf-8").split("func.func @main", 1)
        function, end = function[: function.rindex("\n}")], function[function.rindex("\n}") :]
        functions = "\n".join(f"func.func @main{copy}{function}" for copy in range(copies))
        file.write_text(f"{begin}{functions}{end}", encoding="utf-8")
    return replace(
        program,
        name=name,
        operations=program.operations * copies,
        tensors=program.tensors * copies,
        complete=program.complete * copies,
        file=file,
        copies=copies,
    )


def _key() -> str:
    """The cache key, which covers everything that the programs depend on."""
    sources = [Path(__file__), Path(torch_refine.passes.__path__[0]) / "erase_tensor_types.py"]
    sources += sorted(Path(torch_refine.importer.__path__[0]).glob("*.py"))
    parts = [sys.version, *(version(package) for package in PACKAGES)]
    parts += [path.read_text(encoding="utf-8") for path in sources]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def build(name: str, folder: Path) -> None:
    """Write a program's three files; the description is last, so that it marks completion.

    Composite operators are decomposed by torch-mlir's own table, as in its importer, so that its
    passes support all operators of the program.
    """
    import torch
    from torch_mlir.extras.fx_decomp_util import get_decomposition_table
    from torch_refine.dialect.bindings import new_context, walk
    from torch_refine.importer.export import export_program
    from torch_refine.importer.program import import_program
    from torch_refine.importer.text import module_text
    from torch_refine.passes.base import RunState
    from torch_refine.passes.erase_tensor_types import EraseTensorTypes
    from torch_refine.passes.lowering.exported.dtypes import make_dtypes_explicit
    from torch_refine.pipelines.report import coverage

    kind, size, _ = split_name(name)
    # The files do not contain the values of weights, so they are never initialized.
    with torch.device("meta"):
        model = KINDS[kind].model(size)
    program = export_program(model.to_empty(device="cpu").eval(), KINDS[kind].inputs(), {}, None)
    with torch.no_grad():
        program = program.run_decompositions(get_decomposition_table())
    make_dtypes_explicit(program.graph)
    module = import_program(program, new_context())
    EraseTensorTypes().run(module.operation, RunState())
    module.operation.verify()
    erased = coverage(module.operation)
    description = {
        "name": name,
        "operations": sum(1 for _ in walk(module.operation)),
        "tensors": erased.tensors,
        "complete": erased.complete,
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.mlir").write_text(module_text(module), encoding="utf-8")
    _drop_weights(program)
    torch.export.save(program, folder / f"{name}.pt2")
    (folder / f"{name}.json").write_text(json.dumps(description), encoding="utf-8")


def _drop_weights(program: ExportedProgram) -> None:
    """Replace each weight by a scalar, expanded to its shape."""
    import torch

    for name, weight in program.state_dict.items():
        small = torch.zeros((), dtype=weight.dtype).expand(weight.shape)
        is_parameter = isinstance(weight, torch.nn.Parameter)
        program.state_dict[name] = (
            torch.nn.Parameter(small, requires_grad=False) if is_parameter else small
        )


if __name__ == "__main__":
    build(sys.argv[1], Path(sys.argv[2]))
